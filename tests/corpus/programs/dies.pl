$| = 1;
print "How many queens? ";
my $size = <STDIN>;
die "a board needs rows" unless defined $size && $size > 0;

sub place {
    my @columns = @_;
    return 1 if @columns == $size;
    my $found = 0;
    for my $c (0 .. $size - 1) {
        next if grep { abs($columns[$_] - $c) == 0 || abs($columns[$_] - $c) == @columns - $_ }
            0 .. $#columns;
        $found += place(@columns, $c);
    }
    return $found;
}
print place(), " ways\n";
