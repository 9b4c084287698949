import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stepsOf, walksOf } from '../harness/docs/guide.ts'
import { changeText, lineChangeOf } from '../harness/docs/line-change.ts'
import { read } from './docs.ts'

const walks = walksOf(read('docs/guides/frameworks.md'))

test('there is a part of the guide for each framework of the client', () => {
  expect(walks.map(({ title }) => title)).toEqual([
    ...['LangGraph', 'AI SDK', 'Mastra', 'OpenAI Agents SDK'],
  ])
})

test('no other guide has a diff', () => {
  const guides = readdirSync(join(import.meta.dirname, '../../docs/guides'))
  const hasChange = (name: string) =>
    stepsOf(read(`docs/guides/${name}`)).some(({ kind }) => kind === 'change')
  expect(guides.filter(hasChange)).toEqual(['frameworks.md'])
})

// `guides.test.ts` runs the program of each part before and after its diff.
describe.each(walks)('docs/guides/frameworks.md, $title', ({ steps }) => {
  test('adopts Heirloom in at most five lines, between two runs', () => {
    const changes = steps.filter((it) => it.kind === 'change')
    expect(changes).toHaveLength(1)
    const [{ change, name: file } = { change: lineChangeOf(''), name: '' }] = changes
    expect(change.added.length).toBeLessThanOrEqual(5)
    expect(change.removed.length).toBeLessThanOrEqual(5)
    const at = steps.findIndex(({ kind }) => kind === 'change')
    const run = (it: (typeof steps)[number]) => it.kind === 'run' && it.commands.includes(file)
    expect([steps.slice(0, at).some(run), steps.slice(at).some(run)]).toEqual([true, true])
  })
})

test('a diff changes the lines that it names, and no others', () => {
  const change = lineChangeOf(' a\n-b\n+c\n \n')
  expect(changeText('x\na\nb\n\ny', change)).toBe('x\na\nc\n\ny')
  expect(() => changeText('a\nx\n', change)).toThrow(/does not have/)
  expect(() => changeText('a\nb\n\na\nb\n\n', change)).toThrow(/does not have/)
})
