use strict;
use warnings;

sub place {
    my ($all, $columns, $left, $right) = @_;
    return 1 if $columns == $all;
    my $found = 0;
    for (my $free = $all & ~($columns | $left | $right); $free; $free &= $free - 1) {
        my $bit = $free & -$free;
        $found += place($all, $columns | $bit, ($left | $bit) << 1, ($right | $bit) >> 1);
    }
    return $found;
}

binmode STDOUT, ":encoding(iso-8859-1)";
my $n = shift;
printf "F\x{fc}r %d Damen gibt es %d L\x{f6}sungen (%d Felder)\n", $n,
    place((1 << $n) - 1, 0, 0, 0), $n * $n;
