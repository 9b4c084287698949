import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { run } from '../../../test/command-harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'wrong-values-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string) => join(folder, name)
writeFileSync(at('open.json'), '{"a":')
writeFileSync(at('memory.json'), '{"data":{},"metadata":{"category":"x"}}')
writeFileSync(at('noise'), new Uint8Array([0, 1, 2, 255]))

const hex = `0x${'7'.repeat(40)}`

test.each([
  ['browse --limit 101', '--limit must be a whole number, from 1 to 100; it is 101.'],
  ['names --limit x', '--limit must be a whole number, from 1 to 100; it is x.'],
  ['browse --content-hash 7', '--content-hash must be 0x and 64 hexadecimal digits; it is 7.'],
  [
    'browse --sort age',
    '--sort of browse must be listedAt, tokenId, price, rentalPricePerDay, forkPrice, relevance, rentals, forks or ratings; it is age.',
  ],
  ['rent 7 --days 366', '--days must be a whole number from 1 to 365; it is 366.'],
  [
    `heir name ${hex} --silence 29 --notice 30`,
    '--silence must be a whole number of days from 30 to 3650; it is 29.',
  ],
  [
    'restore ada --version x',
    '--version must be a number from 1 on, or a day such as 2026-10-01; it is x. heirloom log ada lists the versions.',
  ],
  [
    'diff ada@0 7',
    'A must have the number of a version or a day behind the @, as in ada@3 or ada@2026-10-01; it is ada@0.',
  ],
  [
    'outline ada@x',
    'ID must have the number of a version or a day behind the @, as in ada@3 or ada@2026-10-01; it is ada@x.',
  ],
  [
    'import memory.json --split week --name ada',
    '--split of import must be year, month or conversation; it is week.',
  ],
  ['import memory.json --since today', '--since must be a day, such as 2026-01-31; it is today.'],
  [
    'import memory.json --since 2026-01-31',
    `${at('memory.json')} is invalid: it has no conversations of ChatGPT or Claude.`,
  ],
  [
    'import open.json',
    `${at('open.json')} is invalid: it ends too early (line 1, column 6); it was probably cut off.`,
  ],
  [
    'import --format mem0 memory.json',
    `${at('memory.json')} is invalid: it is not an export of mem0.`,
  ],
  [
    'import noise',
    /^The format of the file is not recognised\. Name it with --format: json, .*\.$/,
  ],
  ['chain status --above x', '--above must be a whole number, such as 30000000; it is x.'],
  [
    'list 7 --price -5',
    /^heirloom list needs AMOUNT after --price that is not negative; heirloom list --help /,
  ],
  [
    'tenants add',
    'heirloom tenants add needs a NAME: small letters, digits and hyphens, such as shop.',
  ],
  ['tenants remove', 'heirloom tenants remove needs a NAME: heirloom tenants list shows them.'],
  ['tenants wallet', 'heirloom tenants wallet needs a NAME: heirloom tenants list shows them.'],
  ['tenants list shop', 'heirloom tenants list takes no NAME: it lists all tenants.'],
  ['snapshot memory.json --category=', '--category must not be empty.'],
  ['save ada memory.json --category=', '--category must not be empty.'],
  ['import memory.json --category=', '--category must not be empty.'],
  [
    'info 7 --url ftp://x',
    '--url must be an http or https URL, such as http://127.0.0.1:3000; it is ftp://x.',
  ],
  [
    'info 7 --url localhost:3000',
    '--url must be an http or https URL, such as http://127.0.0.1:3000; it is localhost:3000. Did you mean http://localhost:3000?',
  ],
  [
    'info 7 --url http://ada:secret@x',
    '--url must have no name and password in it; the key of a server is HEIRLOOM_API_KEY.',
  ],
  [
    'info 7 --url ftp://ada:secret@x',
    '--url must be an http or https URL, such as http://127.0.0.1:3000.',
  ],
  [
    'webhook add foo',
    'TARGET must be an http or https URL, such as http://127.0.0.1:3000; it is foo.',
  ],
  ['login --import memory.json', /^The key in \S+memory\.json must be 32 bytes in hexadecimal\.$/],
])('heirloom %s says which value is wrong, and what is allowed', async (line, problem) => {
  const words = line.split(' ').map((it) => (/^(\w+\.json|noise)$/.test(it) ? at(it) : it))
  // No server answers here: each value is checked before one is asked.
  const env = { HEIRLOOM_URL: 'http://127.0.0.1:9', HEIRLOOM_PRIVATE_KEY: `0x${'1'.repeat(64)}` }
  const { code, out, err } = await run(words, { env })
  expect([code, out]).toEqual([2, ''])
  expect(err.trimEnd()).toEqual(
    typeof problem === 'string' ? problem : expect.stringMatching(problem),
  )
})

test('heirloom alone says how one command is described', async () => {
  const { out } = await run([])
  expect(out).toContain('heirloom COMMAND --help describes one command.')
  expect(out.replace(/\s+/g, ' ')).toContain('A name may be cut short, as in heirloom snap')
})

test('a setting repeats its value, but not one that may be a secret', async () => {
  const failed = async (words: readonly string[], env: Readonly<Record<string, string>>) =>
    (await run(words, { env })).err.trimEnd()
  expect(await failed(['info', '7'], { HEIRLOOM_URL: 'foo' })).toBe(
    'HEIRLOOM_URL must be an http or https URL, such as http://127.0.0.1:3000; it is foo.',
  )
  expect(await failed(['serve'], { PORT: 'abc' })).toBe(
    'PORT must be a whole number from 0 to 65535; it is abc.',
  )
  expect(await failed(['serve'], { BODY_LIMIT: '64MiB' })).toMatch(/; it is 64MiB\.$/)
  const hex = 'a1'.repeat(31)
  expect(await failed(['serve'], { AGENT_PRIVATE_KEY: hex })).not.toContain('it is')
})
