import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { developmentAccounts } from '../../packages/http/page/src/wallet/development-accounts.ts'
import { movedClock } from '../harness/process/moved-clock.ts'
import { confirmAndClose, connectDevelopment, create, goTo } from './actions.ts'
import { openStage } from './stage.ts'
import { checkView, type Visitor } from './visitor.ts'

const day = 86_400_000
const folder = mkdtempSync(join(tmpdir(), 'heirs-page-'))
const clock = movedClock(folder)
const [ada, ben] = developmentAccounts.map(({ address }) => address)

// After the server, which reads its clock there.
afterAll(() => rmSync(folder, { recursive: true }))
const { enter, server } = openStage('heirs', clock.environment)
let visitor: Visitor

beforeAll(async () => {
  visitor = await enter()
})

const panelOf = (page: Page) => page.getByRole('region', { name: 'Heir' })

/** Opens what an account left for its heir, beside its memories. */
async function showHeir(page: Page): Promise<void> {
  await goTo(page, 'My memories')
  await page.getByRole('link', { name: 'Heir', exact: true }).click()
}

/** Opens the view of an account's memories as a development account, with what is true now. */
async function openMine(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Wallet ${from}` }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${to}`) })
    .click()
  await showHeir(page)
  await page.getByRole('button', { name: `Wallet ${to}` }).waitFor()
}

/** Types the account that left something, and reads what the chain says of it now. */
async function lookUp(page: Page): Promise<void> {
  await panelOf(page).getByText('Take over as an heir').click()
  await panelOf(page)
    .getByLabel('Account that named you')
    .fill(ada ?? '')
}

test('an account names an heir, gives signs of life, and its heir takes over in the end', async () => {
  const { page } = visitor
  await page.goto(server.url())
  await connectDevelopment(page, 'Ada')
  const text = JSON.stringify({ learned: ['users prefer short answers'] })
  const card = { title: 'A year at the help desk' }
  const id = await create(page, { text, category: 'support', card })
  await showHeir(page)
  const panel = panelOf(page)
  await panel.locator('summary', { hasText: 'Name an heir' }).click()
  const heir = panel.getByLabel('Account of the heir')
  await heir.fill(ada ?? '')
  await panel.getByText('This is your own account.').waitFor()
  await heir.fill('ben')
  await panel.getByText(`Ben is ${ben}.`).waitFor()
  const choices = panel.locator(`[id="${await heir.getAttribute('list')}"] option`)
  await expect.poll(() => choices.count()).toBe(4)
  await panel.getByLabel('Days of silence before the heir may announce').fill('29')
  await expect
    .poll(() => panel.getByRole('button', { name: 'Name an heir' }).isDisabled())
    .toBe(true)
  await panel.getByLabel('Days of silence before the heir may announce').fill('90')
  await panel.getByRole('button', { name: 'Name an heir' }).click()
  await page.getByRole('dialog').getByText(`Heir ${ben}`).waitFor()
  await confirmAndClose(page)
  await panel.getByText('your heir may announce a takeover').waitFor()
  await checkView(visitor, 'heir')

  await panel.getByRole('button', { name: 'I am here' }).click()
  await confirmAndClose(page)

  clock.moveOn(90 * day)
  await openMine(page, 'Ada', 'Ben')
  await lookUp(page)
  await panel.getByRole('button', { name: 'Announce takeover' }).click()
  await confirmAndClose(page)
  await panel.getByText('You have announced it.').waitFor()

  await openMine(page, 'Ben', 'Ada')
  await panel.getByText('Your heir has announced a takeover').waitFor()
  await checkView(visitor, 'heir-announced')

  clock.moveOn(60 * day)
  await openMine(page, 'Ada', 'Ben')
  await lookUp(page)
  await panel.getByRole('checkbox', { name: `No. ${id}, ${card.title}` }).waitFor()
  await checkView(visitor, 'heir-due')
  await panel.getByRole('button', { name: 'Take over 1 memory' }).click()
  await confirmAndClose(page)
  await page.getByRole('link', { name: 'Owned', exact: true }).click()
  const owned = page.getByRole('region', { name: 'Owned' })
  await owned.getByText(card.title).waitFor()

  await openMine(page, 'Ben', 'Ada')
  await panel.getByRole('button', { name: 'Have no heir' }).click()
  await confirmAndClose(page)
  await panel.getByText('its memories are lost with it').waitFor()
})

test('an account that is not the heir, or comes too early, is told so', async () => {
  const { page } = visitor
  await openMine(page, 'Ada', 'Cleo')
  await lookUp(page)
  await panelOf(page).getByText('has not named the connected wallet').waitFor()
  await panelOf(page).getByLabel('Account that named you').fill('0x12')
  await panelOf(page).getByText('Enter an address').waitFor()
})
