import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { confirmAndClose, connectDevelopment } from './actions.ts'
import { openStage } from './stage.ts'
import { checkView, type Visitor } from './visitor.ts'

const { enter, server } = openStage('drafts')
let visitor: Visitor
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'drafts-'))
  visitor = await enter()
  await visitor.page.goto(`${server.url()}/create`)
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

const file = (name: string, text: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text),
})
const picker = (): Locator => visitor.page.getByLabel(/Drop a file here/)
const panel = (): Locator => visitor.page.getByRole('region', { name: '1. The file' })

test('a broken file is refused with its place, and is text only on request', async () => {
  const { page } = visitor
  await picker().setInputFiles(file('notes.json', '{"learned":["a",\n"b"'))
  await page
    .getByText('notes.json ends too early (line 2, column 4); it was probably cut off')
    .waitFor()
  expect(await page.getByRole('heading', { name: '5. Seal and mint' }).count()).toBe(0)
  await checkView(visitor, 'create-broken')
  await page.getByRole('button', { name: 'Seal it as text' }).click()
  await panel().getByText('Recognised as text.').waitFor()
})

test.each([
  [
    'agent.af',
    { agents: [{ name: 'Ada' }], blocks: [], tools: [] },
    /Recognised as a Letta agent file/,
  ],
  [
    'graph.jsonl',
    { type: 'entity', name: 'a', entityType: 'b', observations: [] },
    /Recognised as an MCP memory graph/,
  ],
  ['notes.md', '# Notes', /Recognised as text\./],
])('recognises %s', async (name, value, explanation) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  await picker().setInputFiles(file(name, text))
  await panel().getByText(explanation).waitFor()
})

test('takes a folder, chosen or dropped', async () => {
  const { page } = visitor
  const notes = join(folder, 'notes')
  mkdirSync(join(notes, 'deep'), { recursive: true })
  writeFileSync(join(notes, 'a.md'), '# Orders')
  writeFileSync(join(notes, 'deep/b.md'), '# Patience')
  await page.getByLabel('Choose a folder').setInputFiles(notes)
  await panel().getByText('2 texts').waitFor()
  await page.getByLabel(/Add a public description/).check()
  await page.getByRole('button', { name: 'Suggest from the file' }).click()
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Description' }).inputValue())
    .toBe('Markdown or text files: 2 texts. Contains Orders, Patience.')
  await dropFile('dropped.json', '{"learned":[1]}')
  await panel().getByText('dropped.json').first().waitFor()
})

/** Drops a file as a browser does. */
async function dropFile(name: string, text: string): Promise<void> {
  const dropped = await visitor.page.evaluateHandle(
    (it) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([it.text], it.name))
      return transfer
    },
    { name, text },
  )
  await visitor.page.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped })
}

test('a memory is offered where it was created, and its original is saved again', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Discard the draft' }).click()
  await connectDevelopment(page, 'Ada')
  const text = ' {"learned": [1.0, 12345678901234567890]}\n'
  await picker().setInputFiles(file('mine.json', text))
  await page.getByRole('button', { name: 'Seal and mint' }).click()
  await confirmAndClose(page)
  const offer = page.getByRole('region', { name: 'Offer it' })
  await offer.getByLabel(/^Price/).fill('0.05')
  await checkView(visitor, 'created-offer')
  await offer.getByRole('button', { name: 'List', exact: true }).click()
  await confirmAndClose(page)
  await offer.getByText('Change the listing').waitFor()
  await offer.getByRole('row', { name: 'Price 0.05 ETH' }).waitFor()
  await page.getByRole('link', { name: /^View No\. \d+$/ }).click()
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await page.getByLabel('Save as').selectOption('the original: JSON')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('mine.json')
  expect(readFileSync(await saved.path(), 'utf8')).toBe(text)
})

test('suggests the categories that people use', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/create`)
  await picker().setInputFiles(file('a.json', '{"a":1}'))
  const options = page.locator('datalist#categories option')
  await expect.poll(() => options.count()).toBeGreaterThan(0)
  const values = await options.evaluateAll((them) => them.map((it) => it.getAttribute('value')))
  expect(values).toEqual(expect.arrayContaining(['gaming', 'social']))
})
