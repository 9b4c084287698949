import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { guideTitles } from '../../../src/api/guide-titles.ts'
import { findGuides, linkGuides, readGuide } from './docs.tsx'

const folder = join(import.meta.dirname, '../../../../../docs/guides')
const names = readdirSync(folder).map((file) => file.replace(/\.md$/, ''))

test('every guide can be read, under its own title', async () => {
  expect(Object.keys(guideTitles).toSorted()).toEqual(names.toSorted())
  for (const name of names) {
    const text = readFileSync(join(folder, `${name}.md`), 'utf8')
    expect(await readGuide(name)).toBe(text)
    expect(text.split('\n')[0]).toBe(`# ${guideTitles[name]}`)
  }
})

test('a search finds guides by words of their text, and shows where', async () => {
  expect(await findGuides('')).toHaveLength(names.length)
  const found = await findGuides('EIP-1271 langgraph')
  expect(found.map(({ name }) => name)).toEqual([])
  const [heirs] = await findGuides('silence heartbeat')
  expect(heirs).toMatchObject({ name: 'heirs', title: guideTitles.heirs })
  expect(heirs?.line?.toLowerCase()).toMatch(/silence|heartbeat/)
})

test('what a search shows of a guide is prose, with code in pairs of backticks', async () => {
  const words = 'heirloom npx the a to url json key save'.split(' ')
  const found = (await Promise.all(words.map(findGuides))).flat()
  const lines = found.flatMap(({ line }) => line ?? [])
  expect(lines.length).toBeGreaterThan(50)
  for (const line of lines) {
    expect(line.split('`').length % 2, line).toBe(1)
    expect(line).not.toMatch(/```|\]\(|\*\*|^#|^[-*>] |^\|/)
  }
})

test('a link to another guide leads to it in this page, and no other link', () => {
  const text = '[a](keys.md) [b](keys.md#destroy-a-key) [c](nope.md) [d](../versions.md)'
  expect(linkGuides(text, 'https://here.example')).toBe(
    '[a](https://here.example/docs/guides/keys) [b](https://here.example/docs/guides/keys) [c](nope.md) [d](../versions.md)',
  )
})
