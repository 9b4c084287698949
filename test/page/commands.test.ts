import { createClient } from '@heirloom/http/client'
import { beforeAll, expect, test } from 'vitest'
import { developmentAccounts } from '../../packages/http/page/src/wallet/development-accounts.ts'
import { notes, questions, type Reply } from '../recall/shared-questions.ts'
import { connectDevelopment, escapeDialog } from './actions.ts'
import { openStage } from './stage.ts'
import { checkView, type Visitor } from './visitor.ts'

const { enter, server } = openStage('commands')
let visitor: Visitor

beforeAll(async () => {
  const client = createClient({ url: server.url() })
  const content = { data: { learned: [1] }, metadata: { category: 'research' } }
  const { tokenId } = await client.snapshot({ ...content, card: { title: 'A field diary' } })
  await client.list({ tokenId, price: 1n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 })
  visitor = await enter()
  await visitor.page.goto(server.url())
  await visitor.page.getByText('1 memory is on offer').waitFor()
})

const fieldOf = ({ page }: Visitor) => page.getByRole('combobox', { name: /^A view/ })
const search = ({ page }: Visitor) => page.getByRole('searchbox', { name: 'Search' })
const isFocused = (it: Element) => it === document.activeElement

test('a button in the header names the commands and their keys, and their code is loaded late', async () => {
  const { page } = visitor
  const names = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .join(),
    )
  expect(await names()).not.toContain('command-dialog')
  await page.getByRole('button', { name: 'Commands Ctrl K' }).click()
  await fieldOf(visitor).waitFor()
  expect(await names()).toContain('command-dialog')
  await expect.poll(() => fieldOf(visitor).evaluate(isFocused)).toBe(true)
  await checkView(visitor, 'commands')
  await page.keyboard.press('Escape')
  const button = page.getByRole('button', { name: /^Commands/ })
  await expect.poll(() => button.evaluate(isFocused)).toBe(true)
  // The focus is back a moment before the dialog is gone.
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('the arrows choose in a circle, and the field keeps the focus', async () => {
  const { page } = visitor
  await page.keyboard.press('Control+k')
  const chosen = page.getByRole('dialog').getByRole('option', { selected: true })
  await chosen.getByText('Browse the market').waitFor()
  await page.keyboard.press('ArrowUp')
  await chosen.getByText('Keyboard shortcuts').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await chosen.getByText('Activity').waitFor()
  const active = await fieldOf(visitor).getAttribute('aria-activedescendant')
  expect(active).toBe(await chosen.getAttribute('id'))
  await page.keyboard.press('Enter')
  await page.waitForURL(`${server.url()}/activity`)
  await page.locator('main:focus').waitFor()
})

test('leads to a memory by its number, to an account, and to what a search finds', async () => {
  const { page } = visitor
  const run = async (text: string) => {
    await page.keyboard.press('Control+k')
    await fieldOf(visitor).fill(text)
    await page.keyboard.press('Enter')
  }
  await run('1')
  await page.getByRole('heading', { level: 1, name: 'A field diary' }).waitFor()
  await run(String(developmentAccounts[0]?.address))
  await page.getByText('This account offers no memory.').waitFor()
  await page.keyboard.press('Control+k')
  await fieldOf(visitor).fill('field <b>')
  await checkView(visitor, 'commands-search')
  await page.getByRole('option', { name: /^Search the market for/ }).click()
  await page.waitForURL(/\/\?search=field\+%3Cb%3E$|\/\?search=field%20%3Cb%3E$/)
  await expect.poll(() => search(visitor).inputValue()).toBe('field <b>')
})

test('leads to a part of a view, once it is there', async () => {
  const { page } = visitor
  await connectDevelopment(page, 'Ada')
  await page.keyboard.press('Control+k')
  await fieldOf(visitor).fill('earnings')
  await page.keyboard.press('Enter')
  const heading = page.getByRole('heading', { level: 2, name: 'Earnings' })
  await heading.waitFor()
  await expect.poll(() => heading.evaluate(isFocused)).toBe(true)
})

test('a private name leads to its version of a day, and its memory shows it among those of its owner', async () => {
  const { page } = visitor
  const [ada] = developmentAccounts
  const recipient = ada?.address ?? 'server'
  const diary = createClient({ url: server.url() }).memory('diary')
  for (const text of ['one', 'two']) {
    await diary.save({ data: { text }, metadata: { category: 'diary' }, recipient })
  }
  await page.keyboard.press('Control+k')
  await fieldOf(visitor).fill('diary@2001-01-01')
  await page.getByText('The name diary has no version of 2001-01-01 or before.').waitFor()
  await fieldOf(visitor).fill('diary@2999-01-01')
  await page.getByRole('option', { name: /^Go to diary, version 2, No\. \d+/ }).click()
  await page.waitForURL(/\/token\/\d+$/)
  await page.goto(`${server.url()}/?search=diary@1`)
  await page.getByRole('link', { name: /^Go to diary, version 1, No\. \d+$/ }).waitFor()
  await page.goto(`${server.url()}/mine`)
  await page.getByText('Saved as diary, version 2').waitFor()
})

test('a memory answers the shared questions, and names the nearest word to one that it lacks', async () => {
  const { page } = visitor
  const recipient = developmentAccounts[0]?.address ?? 'server'
  const diary = createClient({ url: server.url() }).memory('asked')
  const metadata = { category: 'diary' }
  const { tokenId } = await diary.save({ data: { notes }, metadata, recipient })
  const answers = page.locator('.answers li')
  const ask = async (text: string): Promise<Reply> => {
    await page.goto(`${server.url()}/token/${tokenId}?tab=contents`)
    await page.getByRole('button', { name: 'Open the memory' }).click()
    await page.getByRole('searchbox', { name: 'Ask the whole memory' }).fill(text)
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    const none = page.getByText('Nothing in the whole memory answers that.')
    await answers.first().or(none).waitFor()
    const [, nearest] =
      /nearest word is “(.*?)”/.exec(`${await page.getByRole('main').textContent()}`) ?? []
    const found = nearest === undefined ? {} : { nearest }
    if ((await answers.count()) === 0) return found
    const [at, said] = [answers.first().locator('code'), answers.first().locator('blockquote')]
    return { at: `${await at.textContent()}`, text: `${await said.textContent()}`, ...found }
  }
  for (const [text, reply] of questions) {
    // A phrase is shown as the whole note that has it.
    const isPhrase = reply.at?.endsWith('/text')
    const expected = isPhrase ? { at: '/data/notes/0', text: notes[0]?.text } : reply
    expect(await ask(text), text).toEqual(expected)
  }
})

test('changes the appearance', async () => {
  const { page } = visitor
  await page.keyboard.press('Control+k')
  await fieldOf(visitor).fill('dark')
  await page.keyboard.press('Enter')
  await page.locator('html[data-theme="dark"]').waitFor()
  await page.getByRole('button', { name: 'Light appearance' }).click()
})

test('a slash focuses the search, and types where one types', async () => {
  const { page } = visitor
  await page.goto(server.url())
  await page.getByText('1 memory is on offer').waitFor()
  await page.keyboard.press('/')
  await expect.poll(() => search(visitor).evaluate(isFocused)).toBe(true)
  await page.keyboard.type('/?')
  await expect.poll(() => search(visitor).inputValue()).toBe('/?')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.goto(`${server.url()}/activity`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('/')
  await fieldOf(visitor).waitFor()
  await page.keyboard.press('Control+k')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('a question mark shows the shortcuts, where single keys can be turned off', async () => {
  const { page } = visitor
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.waitFor()
  await checkView(visitor, 'shortcuts')
  await dialog.getByRole('checkbox', { name: /^Shortcuts of a/ }).uncheck()
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('?')
  await page.keyboard.press('/')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.keyboard.press('Control+k')
  await fieldOf(visitor).fill('shortcuts')
  await page.keyboard.press('Enter')
  await dialog.getByRole('checkbox', { name: /^Shortcuts of a/ }).check()
  await page.keyboard.press('Escape')
})

test('no shortcut acts over another dialog', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: /^Wallet Ada/ }).click()
  await page.getByRole('dialog', { name: 'Wallet' }).waitFor()
  for (const key of ['Control+k', '?', '/']) await page.keyboard.press(key)
  await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
  await escapeDialog(page)
})
