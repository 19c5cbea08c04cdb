-- Command policies end in `.rules`, as other things do: those that are known by where they lie keep their types.
vim.filetype.add({
  extension = {
    rules = function(path)
      if path:find('/udev/') then
        return 'udevrules'
      end
      if path:find('/polkit%-1/') then
        return 'javascript'
      end
      return 'policy'
    end,
  },
})
