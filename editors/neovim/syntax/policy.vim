" For the first paint, and without a language server: it knows more, and says it by semantic tokens.
if exists('b:current_syntax')
  finish
endif

syntax keyword policyConditional if elif else
syntax keyword policyRepeat for break continue
syntax keyword policyStatement def return pass lambda
syntax keyword policyOperator and or not in
syntax keyword policyInclude load
syntax keyword policyConstant True False None
syntax keyword policyBuiltin prefix_rule network_rule host_executable default_decision expect inert_env program option
syntax keyword policyMatcher any_word glob path

syntax match policyArgument "\<\l\w*\ze\s*=[^=]"
syntax match policyName "\<\u[A-Z0-9_]\+\>"
syntax match policyNumber "\<\d\+\(\.\d*\)\?\>"
syntax match policyNumber "\<0[xX]\x\+\>"

syntax match policyEscape contained "\\\([abfnrtv\\'\"]\|x\x\{2}\|u\x\{4}\|U\x\{8}\|\o\{1,3}\)"
syntax region policyString start=+[fb]\?"+ skip=+\\\\\|\\"+ end=+"+ oneline contains=policyEscape
syntax region policyString start=+[fb]\?'+ skip=+\\\\\|\\'+ end=+'+ oneline contains=policyEscape
syntax region policyString start=+[rfb]\{,2}"""+ end=+"""+ keepend contains=policyEscape
syntax region policyString start=+[rfb]\{,2}'''+ end=+'''+ keepend contains=policyEscape
syntax region policyString start=+r"+ end=+"+ oneline
syntax region policyString start=+r'+ end=+'+ oneline
syntax match policyDecision +"\(allow\|prompt\|forbidden\)"+
syntax match policyDecision +'\(allow\|prompt\|forbidden\)'+

syntax keyword policyTodo contained TODO FIXME
syntax match policyComment "#.*$" contains=policyTodo,@Spell
" A scratch line is judged live.
syntax match policyScratch "^\s*#?.*$" contains=policyScratchMark
syntax match policyScratchMark contained "^\s*#?"

highlight default link policyConditional Conditional
highlight default link policyRepeat Repeat
highlight default link policyStatement Statement
highlight default link policyOperator Operator
highlight default link policyInclude Include
highlight default link policyConstant Boolean
highlight default link policyBuiltin Function
highlight default link policyMatcher Function
highlight default link policyArgument Identifier
highlight default link policyName Constant
highlight default link policyNumber Number
highlight default link policyString String
highlight default link policyEscape SpecialChar
highlight default link policyDecision Constant
highlight default link policyTodo Todo
highlight default link policyComment Comment
highlight default link policyScratch String
highlight default link policyScratchMark PreProc

let b:current_syntax = 'policy'
