use strict;
use No::Such::Board;

my $board = No::Such::Board->new(shift);
print $board->count, "\n";
