local n, found, at = tonumber(arg[1]), 0, {}

local function place(row)
  if row > n then
    found = found + 1
    for r = 1, n do
      print(("- "):rep(at[r] - 1) .. "X " .. ("- "):rep(n - at[r]))
    end
    print()
    return
  end
  for column = 1, n do
    local safe = true
    for r = 1, row - 1 do
      safe = safe and at[r] ~= column and math.abs(at[r] - column) ~= row - r
    end
    at[row] = column
    if safe then place(row + 1) end
  end
end

place(1)
print(found)
