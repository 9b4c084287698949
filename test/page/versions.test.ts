import { beforeAll, expect, test } from 'vitest'
import { post } from '../harness/process/server.ts'
import { chooseFile, confirmAndClose, connectDevelopment, goTo, showTab } from './actions.ts'
import { openStage } from './stage.ts'
import { checkView, type Visitor } from './visitor.ts'

const { enter, server } = openStage('versions')
let visitor: Visitor

beforeAll(async () => {
  visitor = await enter({ expectedErrors: /status of 410 / })
  await visitor.page.goto(server.url())
  await connectDevelopment(visitor.page, 'Ada')
})

const notes = (...texts: readonly string[]) =>
  JSON.stringify({ rule: 'Buy low,\nsell high.', notes: texts })

/** Fills the form of a new memory. */
async function fillForm(text: string, { parent }: { readonly parent?: string } = {}) {
  const { page } = visitor
  await goTo(page, 'Create')
  await chooseFile(page, text)
  await page.getByLabel('Category').fill('research')
  if (parent !== undefined) await page.getByLabel(/^Derived from/).fill(parent)
  await page.getByLabel(/Add a public description/).check()
  await page.getByRole('textbox', { name: 'Title' }).fill('Notes on markets')
}

async function seal(): Promise<void> {
  const { page } = visitor
  await page.getByRole('button', { name: 'Seal and mint' }).click()
  await confirmAndClose(page)
  await page.getByRole('heading', { name: /^Sealed as No\. \d+$/ }).waitFor()
}

const excerpts = () => visitor.page.getByRole('textbox', { name: 'Values to show with a proof' })

test('a value that is shown with its memory is marked as proven', async () => {
  const { page } = visitor
  await fillForm(notes('Fear is a price.', 'A secret.'))
  await excerpts().fill('data.notes')
  await page.getByText('“data.notes” is no JSON pointer, such as /data/notes/0.').waitFor()
  await excerpts().fill('/data/notes/0')
  const seen = page.getByRole('region', { name: /What is public/ })
  await seen.getByText('With a proof, the value at /data/notes/0').waitFor()
  await checkView(visitor, 'create-excerpts')
  await seal()
  await page.goto(`${server.url()}/token/1?tab=overview`)
  const sample = page.getByRole('region', { name: /^Sample/ })
  await sample.getByText('proven', { exact: true }).waitFor()
  await sample.getByText('"Fear is a price."').waitFor()
  const facts = page.getByRole('region', { name: 'What it is' })
  await expect
    .poll(() => facts.getByRole('definition').allTextContents())
    .toEqual(['JSON', '2 named values'])
  const hint =
    'This server checked that the sealed memory has these labels, not that they are true.'
  await facts.getByText(hint).waitFor()
  expect(await sample.getByText('/metadata/').count()).toBe(0)
  await expect
    .poll(() => page.getByRole('heading', { level: 2 }).allTextContents())
    .toEqual([...['What it is', 'Sample proven', 'Use this memory', 'Terms', 'Your memory']])
  expect(await page.getByText('A secret.').count()).toBe(0)
  const question = page.getByLabel('Ask this sample')
  await question.fill('what is fear?')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByRole('status').getByText('Fear is a price.').waitFor()
  await question.fill('tractors')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByText('Nothing in this sample answers that.').waitFor()
  await checkView(visitor, 'excerpts')
  await showTab(page, 'Contents')
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await page.getByText('This is exactly what').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('a version is compared with its parent', async () => {
  const { page } = visitor
  const changed = notes('Fear is a price.', 'A secret, told.', 'Greed, too.')
  await fillForm(changed.replace('sell high', 'sell higher'), { parent: '1' })
  await seal()
  await page.goto(`${server.url()}/token/2`)
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText(/^4 changes from No\. 1 to No\. 2/).waitFor()
  const compared = page.getByRole('region', { name: 'Compare' })
  await compared.getByText('sell higher.').waitFor()
  await compared.getByText('"Greed, too."').waitFor()
  await checkView(visitor, 'compare')
})

test('an erased memory says so, and its other version stays', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/token/1`)
  await page.getByRole('button', { name: '☆ Watch' }).click()
  await page.getByText('Erase its memory').click()
  await page.getByLabel('Type 1 to confirm').fill('1')
  await checkView(visitor, 'erase')
  await page.getByRole('button', { name: 'Erase for ever' }).click()
  await page.getByText('Its memory was erased', { exact: true }).waitFor()
  await page.getByRole('status').getByText('The memory is erased.').waitFor({ state: 'attached' })
  await showTab(page, 'History')
  const history = page.getByRole('region', { name: 'History', exact: true })
  const erased = history.locator('tbody tr').first()
  await erased.getByText('Erased The memory was erased for its owner').waitFor()
  await erased.getByText(/^just now|minute/).waitFor()
  expect(await page.getByText('"Fear is a price."').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'List', exact: true }).count()).toBe(0)
  await checkView(visitor, 'erased')
  await goTo(page, 'My memories')
  await page.getByRole('link', { name: 'Watched' }).click()
  const watched = page.getByRole('region', { name: 'Watched' })
  await watched.getByRole('listitem').filter({ hasText: 'erased' }).waitFor()
  await page.goto(`${server.url()}/token/2`)
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await page.getByText('This is exactly what').waitFor()
})

test('words in the labels of a memory are shown as such, and on no card', async () => {
  const { page } = visitor
  const importedFrom = {
    format: 'Verified by Heirloom: 300 % profit',
    counts: [
      { what: 'messages', count: 7 },
      { what: 'audited trades', count: Number.MAX_SAFE_INTEGER },
    ],
  }
  const excerpts = ['/metadata/importedFrom/format', '/metadata/importedFrom/counts']
  const memory = {
    data: { empty: true },
    metadata: { category: 'trading', importedFrom },
    card: { title: 'An empty memory', excerpts },
  }
  const send = (path: string, body: object) => post(server.url(), path, JSON.stringify(body))
  const minted = await send('/api/memory/snapshot', memory)
  const { tokenId } = (await minted.json()) as { readonly tokenId: string }
  const terms = { price: '1000', rentalPricePerDay: '0', forkPrice: '0', forkRoyaltyBps: 0 }
  expect((await send('/api/marketplace/list', { tokenId, ...terms })).status).toBe(201)
  await page.goto(`${server.url()}/token/${tokenId}?tab=overview`)
  const facts = page.getByRole('region', { name: 'What it is' })
  await expect
    .poll(() => facts.getByRole('definition').allTextContents())
    .toEqual([
      'its labels say: Verified by Heirloom: 300 % profit',
      '7 messages; its labels say: 9,007,199,254,740,991 audited trades',
    ])
  await checkView(visitor, 'labels')
  await page.goto(server.url())
  const card = page.getByRole('article').filter({ hasText: 'An empty memory' })
  await card.getByText('Its maker says: 7 messages').waitFor()
  expect(await card.getByText('Verified').count()).toBe(0)
})
