# Tab completion of items for fish. items itself reads the line and prints what fits.

function __items_complete
    set -l before (commandline -xpc 2>/dev/null; or commandline -opc)
    set -l word (commandline -ct)
    set -l after (commandline -op)
    set -e after[1..(count $before)]
    # Without its first word if that is the one at the cursor.
    test -n "$(commandline -t)"; and set -e after[1]
    set -l lines (command items __complete -- fish (math (count $before) - 1) \
        $before[2..] "$word" $after 2>/dev/null)
    if test "$lines[1]" = files
        set -l option (string match -r '^--[^=]*=' -- $word)
        string join \n -- "$option"(__fish_complete_path (string replace -- "$option" '' $word))
    else
        string join \n -- $lines[2..]
    end
end

complete -c items -f -k -a '(__items_complete)'
