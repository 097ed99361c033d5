# SPDX-License-Identifier: Apache-2.0
# fish completion for flipclockctl; team and page names come from the daemon that runs.

function __flipclockctl_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -l socket
    set -l verb
    set -l nth 0
    set -l index 2
    while test $index -le (count $words)
        switch $words[$index]
            case --socket
                set index (math $index + 1)
                set socket --socket $words[$index]
            case '-*'
            case '*'
                if test -z "$verb"
                    set verb $words[$index]
                else
                    set nth (math $nth + 1)
                end
        end
        set index (math $index + 1)
    end
    if test -z "$verb"
        $program $socket complete verbs 2>/dev/null
    else if test "$verb" = screenshot
        __fish_complete_suffix .png
    else if test "$verb" = check
        __fish_complete_suffix .toml
    else
        $program $socket complete $verb $nth 2>/dev/null
    end
end

complete -c flipclockctl -f
complete -c flipclockctl -f -a '(__flipclockctl_complete)'
complete -c flipclockctl -l socket -r -F -d 'The control socket'
complete -c flipclockctl -l json -d 'One line of JSON'
complete -c flipclockctl -s h -l help -d 'Tell what it takes'
complete -c flipclockctl -l version -d 'Tell the release'
