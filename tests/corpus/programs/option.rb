def place(all, columns, left, right)
  return 1 if columns == all
  found = 0
  free = all & ~(columns | left | right)
  until free.zero?
    bit = free & -free
    found += place(all, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    free ^= bit
  end
  found
end

require "optparse"

n = nil
OptionParser.new { |options| options.on("--size=N", Integer) { |size| n = size } }.parse!
abort "Usage: option.rb --size=N" unless n
puts "8. possibilities for #{n} queens => #{place((1 << n) - 1, 0, 0, 0)}"
