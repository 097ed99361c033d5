# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# bash completion for flipclockctl; team and page names come from the daemon that runs.

_flipclockctl() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local verb='' socket='' index nth=0 candidate candidates=''
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case ${COMP_WORDS[index]} in
      --socket) socket=${COMP_WORDS[++index]} ;;
      -*) ;;
      *) if [[ -z $verb ]]; then verb=${COMP_WORDS[index]}; else ((nth++)); fi ;;
    esac
  done
  if [[ $previous == --socket ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    compopt -o filenames 2>/dev/null
    return
  fi
  if [[ $word == -* ]]; then
    candidates=$'--socket\n--json\n--help\n--version'
  elif [[ -z $verb ]]; then
    candidates=$("$1" complete verbs 2>/dev/null)
  else
    case $verb:$nth in
      screenshot:0 | check:0)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        compopt -o filenames 2>/dev/null
        return
        ;;
      *) candidates=$("$1" ${socket:+--socket "$socket"} complete "$verb" "$nth" 2>/dev/null) ;;
    esac
  fi
  local IFS=$'\n'
  for candidate in $candidates; do
    if [[ $candidate == "$word"* ]]; then COMPREPLY+=("$(printf '%q' "$candidate")"); fi
  done
}
complete -F _flipclockctl flipclockctl
