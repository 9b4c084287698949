import { createClient } from '@heirloom/http/client'
import { openWallet } from '@heirloom/http/wallet'
import type { Page } from 'playwright-core'
import type { TypedDataDefinition } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { developmentAccounts } from '../../packages/http/page/src/wallet/development-accounts.ts'
import { connectDevelopment, connectInjected, create } from './actions.ts'
import { embeddedNode, injectedWallet } from './injected-wallet.ts'
import { openStage } from './stage.ts'
import { checkView, takeScreenshot, type Visitor } from './visitor.ts'

const [ada, ben, cleo] = developmentAccounts

const { enter, server } = openStage('grants')
let owner: Visitor
let reader: Visitor

const wallet = injectedWallet(
  ada?.key ?? '0x',
  embeddedNode(() => server.url()),
)

beforeAll(async () => {
  owner = await enter({ wallet })
  reader = await enter({ expectedErrors: /status of 40[34]/ })
})

const panelOf = (page: Page) => page.getByRole('region', { name: 'Your memory' })

const nameField = 'Name of the memory, such as diary, to share all of its versions (optional)'
const refused = 'This link does not open it for this wallet.'
const another = /^Another grant lets the same account read it, too/
const nobody = 'Nobody may read it by a grant of yours.'

/** Types a reader, has the wallet sign, and returns the link that the page shows for it. */
async function grantTo(page: Page, { name, label }: { name: string; label: string }) {
  const panel = panelOf(page)
  await panel.getByLabel('Account of the reader').fill(name)
  await panel.getByLabel('Label, for you alone (optional)').fill(label)
  await panel.getByRole('button', { name: 'Let it read' }).click()
  await panel.getByText(`(${label})`).waitFor()
  await panel.getByRole('button', { name: 'Copy its link' }).first().click()
  await panel.getByRole('button', { name: 'Copied' }).waitFor()
  return page.evaluate(() => navigator.clipboard.readText())
}

const openMemory = (page: Page) => page.getByRole('button', { name: 'Open the memory' }).click()

test('an owner lets an account read a memory, which opens it by a link until that is revoked', async () => {
  const { page } = owner
  await page.goto(server.url())
  await connectInjected(page, 'Injected')
  const text = JSON.stringify({ learned: ['the spare key is under the mat'] })
  const id = await create(page, { text, category: 'support' })
  await page.goto(`${server.url()}/token/${id}?tab=overview`)
  await panelOf(page).getByText('Who may read this').click()
  const requests: string[] = []
  wallet.before = (method) => {
    if (method === 'personal_sign' || method.startsWith('eth_signTyped')) requests.push(method)
  }
  const link = await grantTo(page, { name: 'Ben', label: 'auditor' })
  expect(requests).toEqual(['eth_signTypedData_v4', 'personal_sign'])
  const day = await panelOf(page).getByLabel('Until the end of this day (UTC)').inputValue()
  // A wallet shows this sentence, whatever page asks for the signature.
  expect((wallet.signed.at(-1) as TypedDataDefinition).message).toMatchObject({
    statement: `I let ${ben?.address} read the memory of token ${id} until ${day} (UTC), as long as I own it, at ${server.url()}. I can take this back.`,
  })
  await checkView(owner, 'grants')

  const other = reader.page
  await other.goto(link)
  await other.getByText('Connect the wallet of the owner, a renter or a reader').waitFor()
  await connectDevelopment(other, 'Cleo')
  await openMemory(other)
  await other.getByText(refused).waitFor()
  await other.getByRole('button', { name: 'Wallet Cleo' }).click()
  await other.getByRole('dialog').getByRole('button', { name: /^Ben/ }).click()
  await other.getByRole('button', { name: 'Wallet Ben' }).waitFor()
  await other.getByText('shared this memory with one account. If that is yours, open it.').waitFor()
  await openMemory(other)
  await other.getByText('This is exactly what its creator sealed.').waitFor()
  const end = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  const until = `until ${end.format(new Date(day))} (UTC), as long as it owns it`
  await other.getByText(`lets you read this memory ${until}`).waitFor()
  await other.getByText('the spare key is under the mat').first().waitFor()
  await takeScreenshot(reader, 'granted-memory')

  await panelOf(page).getByRole('button', { name: 'Show who may read it' }).click()
  await panelOf(page).getByRole('button', { name: 'Revoke', exact: true }).click()
  await panelOf(page).getByText(nobody).waitFor()
  await other.goto(link)
  await openMemory(other)
  await other.getByText(refused).waitFor()

  const again = await grantTo(page, { name: 'Ben', label: 'partner' })
  await panelOf(page).getByText('Revoke all my grants').click()
  await panelOf(page).getByRole('button', { name: 'Revoke all for good' }).click()
  await panelOf(page).getByText(nobody).waitFor()
  await other.goto(again)
  await openMemory(other)
  await other.getByText(refused).waitFor()
})

test('an owner sees at each version who may read all versions of a name', async () => {
  const account = privateKeyToAccount(ben?.key ?? '0x')
  const url = server.url()
  const notes = createClient({ url, account }).memory('notes')
  const versions = []
  for (const day of [1, 2]) {
    const memory = { data: { day }, metadata: { category: 'support' } }
    versions.push(await notes.save({ ...memory, recipient: account.address }))
  }
  const expires = Math.floor(Date.now() / 1000) + 86_400
  const { address: to = '0x' } = ada ?? {}
  await (await openWallet({ url, account })).grant({ name: 'notes', reader: to, expires })
  const { page } = reader
  await page.goto(`${url}/token/${versions[1]?.tokenId}?tab=overview`)
  await panelOf(page).getByText('Who may read this').click()
  await panelOf(page).getByRole('button', { name: 'Show who may read it' }).click()
  await panelOf(page).getByText('all versions of notes').waitFor()
})

test('an owner lets an account save to a name, and sees that it may', async () => {
  const { page } = reader
  const panel = panelOf(page)
  await panel.getByLabel('Account of the reader').fill('Cleo')
  await panel.getByLabel(nameField).fill('notess')
  await panel.getByRole('button', { name: 'Let it read' }).click()
  await panel.getByText('You have no name notess.').waitFor()
  await takeScreenshot(reader, 'grants-wrong-name')
  await panel.getByLabel(nameField).fill('notes')
  await panel.getByText('You have no name notess.').waitFor({ state: 'detached' })
  await panel.getByLabel('Let it save versions, too; they are yours').check()
  await panel.getByRole('button', { name: 'Let it read and save' }).click()
  await panel.getByText('all versions of notes, may save,').waitFor()
  await checkView(reader, 'grants-save')
  const url = server.url()
  const owned = createClient({ url, account: privateKeyToAccount(ben?.key ?? '0x') })
  const { items } = await owned.grants()
  const found = items.find(({ grant }) => grant.rights === 'read and save')
  const { id = '0x', grant } = found ?? {}
  expect(grant?.statement).toContain(`I let ${cleo?.address} read and save the memory of notes`)
  const other = createClient({ url, account: privateKeyToAccount(cleo?.key ?? '0x') })
  const theirs = other.granted(id).memory(`${grant?.owner}:notes`, { seen: 'last' })
  const memory = { data: { day: 3 }, metadata: { category: 'support' } }
  expect(await theirs.save(memory)).toMatchObject({ version: 3 })
  // A tick without a name is no right, since the form of one memory has only reading.
  await panel.getByLabel(nameField).fill('')
  await panel.getByLabel('Label, for you alone (optional)').fill('reader')
  await panel.getByRole('button', { name: 'Let it read' }).click()
  await panel.getByText('(reader)').waitFor()
  await panel.getByLabel('Label, for you alone (optional)').fill('again')
  await panel.getByRole('button', { name: 'Let it read' }).click()
  await panel.getByText(another).waitFor()
  await checkView(reader, 'grants-again')
  // The earlier grant still counts, although the list has only what was granted since the page was loaded.
  await page.reload()
  await panel.getByText('Who may read this').click()
  await grantTo(page, { name: 'Cleo', label: 'third' })
  await panel.getByRole('button', { name: 'Revoke', exact: true }).click()
  await panel.getByText('(third)').waitFor({ state: 'detached' })
  await panel.getByText(another).waitFor()
  expect(await panel.getByText(nobody).count()).toBe(0)
  const labelled = (await owned.grants()).items.find(({ label }) => label === 'reader')
  expect(labelled?.grant).toMatchObject({ rights: 'read', name: '' })
})

test('the link of a name says what it opens, compares its versions and shows how an agent uses them', async () => {
  const url = server.url()
  const owned = createClient({ url, account: privateKeyToAccount(ben?.key ?? '0x') })
  const { items } = await owned.grants()
  const { id = '0x', grant } = items.find(({ grant: it }) => it.rights === 'read and save') ?? {}
  const { items: versions } = await owned.memory('notes').log()
  const { page } = reader
  await page.goto(`${url}/token/${grant?.tokenId}?grant=${id}`)
  await page.getByRole('button', { name: 'Wallet Ben' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Cleo/ }).click()
  await page.getByRole('button', { name: 'Wallet Cleo' }).waitFor()
  await openMemory(page)
  await page
    .getByText(/lets you read all versions of notes, and save to it, until .* as long as/)
    .waitFor()
  await page.getByLabel('This version with').selectOption(versions[0]?.tokenId ?? '')
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText(/^1 change from No\./).waitFor()
  await page.getByText('You may open it by this grant.').waitFor()
  for (const name of ['Command', 'TypeScript', 'Python']) {
    await page.getByRole('group', { name: 'Into' }).getByText(name, { exact: true }).click()
    await page.getByLabel(`For ${name}`).getByText(id).waitFor()
  }
  await checkView(reader, 'granted-name')
  // Every link to the memory that is looked at keeps the grant by which it is.
  await page.getByRole('tab', { name: 'Lineage' }).click()
  await page.getByRole('region', { name: 'Lineage' }).locator('a[aria-current]').click()
  expect(new URL(page.url()).searchParams.get('grant')).toBe(id)
})

test('a reader sees what an owner granted once it accepted that, and not when it ignores it', async () => {
  const { page } = reader
  await page.goto(`${server.url()}/mine?list=granted`)
  const panel = page.getByRole('region', { name: 'Granted' })
  const show = panel.getByRole('button', { name: 'Show what I may read' })
  await show.click()
  await panel.getByText('No owner that this wallet accepted').waitFor()
  await panel.getByLabel('Owner who granted you something').fill(ben?.address ?? '')
  await panel.getByRole('button', { name: 'Accept this owner' }).click()
  await panel.getByText('all versions of notes, may save,').waitFor()
  await checkView(reader, 'granted-list')
  const links = panel.getByRole('listitem').getByRole('link', { name: /^No\./ })
  expect(await links.first().getAttribute('href')).toMatch(/^\/token\/\d+\?grant=0x[0-9a-f]{64}$/)
  expect(await panel.textContent()).not.toContain('(reader)')
  await panel.getByRole('button', { name: 'Ignore this owner' }).first().click()
  await panel.getByText('No owner that this wallet accepted').waitFor()
  await panel.getByLabel('Owner who granted you something').fill(ada?.address ?? '')
  await panel.getByRole('button', { name: 'Accept this owner' }).click()
  await panel.getByRole('alert').getByText('Check the address of the owner.').waitFor()
})
