# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# bash completion for flipclockctl; the names of teams, pages, boards, counters and displays come from the running daemon.

_flipclockctl() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local verb='' socket='' index operands=0 candidate candidates='' what=words
  local -a words=()
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case ${COMP_WORDS[index]} in
      --socket) socket=${COMP_WORDS[++index]} ;;
      -*) if [[ -n $verb ]]; then words+=("${COMP_WORDS[index]}"); fi ;;
      *)
        if [[ -z $verb ]]; then
          verb=${COMP_WORDS[index]}
        elif [[ ${COMP_WORDS[index - 1]} != --output ]]; then
          ((operands += 1))
        fi
        words+=("${COMP_WORDS[index]}")
        ;;
    esac
  done
  if [[ $previous == --socket ||
    ($verb =~ ^(screenshot|check)$ && $operands -eq 0 && $previous != --output && $word != -*) ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    compopt -o filenames 2>/dev/null
    return
  fi
  if [[ -z $verb && $word == -* ]]; then
    candidates=$'--socket\n--json\n--help\n--version'
  else
    # -1 is a word; it is offered with the others.
    if [[ $word == -* ]]; then what=options; fi
    candidates=$("$1" ${socket:+--socket "$socket"} complete "$what" -- "${words[@]}" 2>/dev/null | cut -f 1)
  fi
  local IFS=$'\n'
  for candidate in $candidates; do
    if [[ $candidate == "$word"* ]]; then COMPREPLY+=("$(printf '%q' "$candidate")"); fi
  done
}
complete -F _flipclockctl flipclockctl
