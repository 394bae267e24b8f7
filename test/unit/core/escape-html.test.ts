import { expect, it } from 'vitest'
import { escapeHtml } from '../../../emulator/core/escape-html.ts'

it('escapes markup and replaces control characters that XML forbids', () => {
  expect(escapeHtml(`<a b="c">&'\n\t`)).toBe('&lt;a b=&quot;c&quot;&gt;&amp;&#39;\n\t')
  expect(escapeHtml('red \u001b[31m \0 \uFFFF')).toBe('red \uFFFD[31m \uFFFD \uFFFD')
})
