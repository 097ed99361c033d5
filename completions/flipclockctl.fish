# SPDX-License-Identifier: Apache-2.0
# fish completion for flipclockctl; the names of teams, pages, boards, counters and displays come from the running daemon.

function __flipclockctl_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -l socket
    set -l rest
    set -l files 0
    set -l index 2
    while test $index -le (count $words)
        switch $words[$index]
            case --socket
                set index (math $index + 1)
                set socket --socket $words[$index]
            case '-*'
                # Before the verb they are options of all verbs.
                test -n "$rest"; and set -a rest $words[$index]
            case '*'
                set -a rest $words[$index]
        end
        set index (math $index + 1)
    end
    if test (count $rest) -eq 1; or test (count $rest) -eq 3 -a "$rest[2]" = --output
        set files 1
    end
    if test $files -eq 1; and test "$rest[1]" = screenshot
        __fish_complete_suffix .png
    else if test $files -eq 1; and test "$rest[1]" = check
        __fish_complete_suffix .toml
    else
        $program $socket complete words -- $rest 2>/dev/null
    end
    if test -n "$rest"; and string match -q -- '-*' (commandline -ct)
        $program $socket complete options -- $rest 2>/dev/null
    end
end

complete -c flipclockctl -f
complete -c flipclockctl -f -a '(__flipclockctl_complete)'
complete -c flipclockctl -l socket -r -F -d 'The control socket'
complete -c flipclockctl -l json -d 'Print one line of JSON'
complete -c flipclockctl -s h -l help -d 'Print help'
complete -c flipclockctl -l version -d 'Print the release'
