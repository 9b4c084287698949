import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

// The deepest documents that can be sealed, on a tenth of the stack that a program has by default: what
// needs a stack for each level fails there, however warm or cold the program is.
const program = `
  import { diffTexts } from ${JSON.stringify(new URL('./diff-documents.ts', import.meta.url))}
  import { mergeTexts } from ${JSON.stringify(new URL('./merge-documents.ts', import.meta.url))}
  const nested = (open, close, depth) => (inside) =>
    open.repeat(depth) + inside + close.repeat(depth)
  for (const deep of [
    nested('[', ']', 1000),
    nested('{"a":', '}', 1000),
    nested('[{"id":1,"a":', '}]', 500),
  ]) {
    const { changes } = diffTexts(deep('1'), deep('2'))
    const { text } = mergeTexts({ base: deep('[0]'), ours: deep('[0,1]'), theirs: deep('[5,0]') })
    const { conflicts } = mergeTexts({ base: deep('0'), ours: deep('1'), theirs: deep('2') })
    const isMerged = text === deep('[5,0,1]')
    console.log(changes.length, isMerged, conflicts.length)
  }`

test('documents of 1,000 levels are compared and merged on a tenth of the usual stack', () => {
  const flags = ['--stack-size=98', '--input-type=module', '--no-warnings', '-e', program]
  const printed = execFileSync(process.execPath, flags, { encoding: 'utf8' })
  expect(printed).toBe('1 true 1\n'.repeat(3))
})
