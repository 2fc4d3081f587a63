def place(row)
  row == size ? 1 : (0...size).sum { place(row + 1) }
end

def solve
  place(0)
end

puts solve
