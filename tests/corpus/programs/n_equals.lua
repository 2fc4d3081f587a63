local function place(all, columns, left, right)
  if columns == all then return 1 end
  local found, free = 0, all & ~(columns | left | right)
  while free ~= 0 do
    local bit = free & -free
    found = found + place(all, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    free = free & (free - 1)
  end
  return found
end

local n = tonumber(arg[1]) or 8
print("N = " .. n .. " solutions: " .. place((1 << n) - 1, 0, 0, 0))
