proc place {all columns left right} {
    if {$columns == $all} {return 1}
    set found 0
    set free [expr {$all & ~($columns | $left | $right)}]
    while {$free} {
        set bit [expr {$free & -$free}]
        incr found [place $all [expr {$columns | $bit}] [expr {($left | $bit) << 1}] \
            [expr {($right | $bit) >> 1}]]
        set free [expr {$free & ($free - 1)}]
    }
    return $found
}

puts "n  Q(n)"
for {set n 0} {$n <= [lindex $argv 0]} {incr n} {
    puts [format "%-2d %4d" $n [place [expr {(1 << $n) - 1}] 0 0 0]]
}
