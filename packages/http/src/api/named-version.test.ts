import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openClientHarness } from '../../test/client-harness.ts'
import { endOf, findVersion, parseVersion } from './named-version.ts'

describe('parseVersion', () => {
  test.each([
    ['ada', { name: 'ada' }],
    ['ada@3', { name: 'ada', version: 3 }],
    ['v1.2@3', { name: 'v1.2', version: 3 }],
    ['ada@2026-10-01', { name: 'ada', version: '2026-10-01' }],
    ['ada@2024-02-29', { name: 'ada', version: '2024-02-29' }],
    ['ada/x@2026-10-01T12:00Z', { name: 'ada/x', version: '2026-10-01T12:00Z' }],
    ['ada@2026-10-01T12:00:00.5+02:00', { name: 'ada', version: '2026-10-01T12:00:00.5+02:00' }],
    ['2026-10-01', { name: '2026-10-01' }],
    ['2026-10-01@2', { name: '2026-10-01', version: 2 }],
    ['2026-10-01@2026-10-02', { name: '2026-10-01', version: '2026-10-02' }],
  ])('parses %s', (text, parsed) => {
    expect(parseVersion(text)).toEqual(parsed)
  })

  test.each([
    '@3',
    'ada@',
    'ada@0',
    'ada@03',
    'ada@x',
    'ada@2026-02-30',
    'ada@2026-13-01',
    'ada@2026-10-1',
    'ada@2026-10',
    'ada@2026-10-01T25:00Z',
    'ada@2026-10-01T12:00',
    'ada@2026-10-01 12:00Z',
  ])('refuses %s', (text) => {
    expect(parseVersion(text)).toBeUndefined()
  })
})

test('the end of a day is its last millisecond in UTC, and that of a time is the time', () => {
  const day = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(day, (date) => {
      const text = date.toISOString()
      expect(endOf(text)).toBe(date.getTime())
      const end = endOf(text.slice(0, 10)) ?? 0
      expect(new Date(end).toISOString()).toBe(`${text.slice(0, 10)}T23:59:59.999Z`)
    }),
  )
})

/** Returns the pages of a line whose versions were saved at some times, and counts its reads. */
function lineOf(times: readonly number[]) {
  const versions = times.map((savedAt, at) => ({ version: at + 1, savedAt }))
  const line = { reads: 0 }
  const read = async ({ after }: { readonly after: string | undefined }) => {
    line.reads += 1
    const earlier = versions.filter(({ version }) => !(version >= Number(after ?? Infinity)))
    return { items: earlier.toReversed().slice(0, 1) }
  }
  return { line, read }
}

test('finds the last version that was saved by a time, in few reads', async () => {
  const times = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(times, fc.integer({ min: 0, max: 40 }), async (unsorted, until) => {
      const sorted = unsorted.toSorted((a, b) => a - b)
      const { line, read } = lineOf(sorted)
      const expected = sorted.findLastIndex((it) => it <= until) + 1
      const found = await findVersion(read, new Date(until).toISOString())
      expect(found?.version ?? 0).toBe(expected)
      expect(line.reads).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(sorted.length + 1)))
    }),
  )
})

test('a name opens as of a day, and says that there was none before', async () => {
  const { client } = await openClientHarness()
  const ada = client.memory<{ mood: string }>('ada')
  const memory = (mood: string) => ({ data: { mood }, metadata: { category: 'x' } })
  await ada.save(memory('calm'))
  await ada.save(memory('glad'))
  const { items } = await ada.log()
  const [last, first] = items.map(({ savedAt }) => new Date(savedAt).toISOString())
  expect((await ada.at(`${last}`.slice(0, 10))).data.mood).toBe('glad')
  expect((await ada.at('9999-12-31')).data.mood).toBe('glad')
  expect((await ada.at('1')).data.mood).toBe('calm')
  if (first !== last) expect((await ada.at(`${first}`)).data.mood).toBe('calm')
  await expect(ada.at('2001-01-01')).rejects.toMatchObject({
    code: 'client/no-version',
    facts: { name: 'ada', version: '2001-01-01' },
    message: 'The name ada has no version of 2001-01-01 or before; its log lists the versions.',
  })
  await expect(ada.at('yesterday')).rejects.toMatchObject({
    code: 'client/no-version',
    message: expect.stringContaining('no day such as 2026-10-01'),
  })
  for (const version of [9, '9']) {
    const message = 'The name ada has no version 9; its log lists the versions.'
    await expect(ada.find(version)).rejects.toMatchObject({ message })
  }
})
