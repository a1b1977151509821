# Tab completion of items for fish. items itself reads the line and prints what fits.

function __items_complete
    # fish shows a completion the line up to the cursor only.
    set -l before (commandline -xpc 2>/dev/null; or commandline -opc)
    set -l word (commandline -ct)
    set -l lines (command items __complete -- fish (math (count $before) - 1) \
        $before[2..] "$word" 2>/dev/null)
    if test "$lines[1]" = files
        set -l option (string match -r '^--[^=]*=' -- $word)
        string join \n -- "$option"(__fish_complete_path (string replace -- "$option" '' $word))
    else
        string join \n -- $lines[2..]
    end
end

complete -c items -f -k -a '(__items_complete)'
