# Reads numbers of queens from standard input, without a prompt.
proc count {n row columns up down} {
    if {$row == $n} { return 1 }
    set found 0
    for {set c 0} {$c < $n} {incr c} {
        set u [expr {$c + $row}]
        set d [expr {$c - $row}]
        if {$c in $columns || $u in $up || $d in $down} continue
        incr found [count $n [expr {$row + 1}] [concat $columns $c] [concat $up $u] \
            [concat $down $d]]
    }
    return $found
}
while {[gets stdin n] >= 0} { puts [count $n 0 {} {} {}] }
