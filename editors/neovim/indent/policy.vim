" Starlark is indented as Python is.
runtime! indent/python.vim
