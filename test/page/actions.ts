import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { hostCommand } from '../harness/process/hosted-command.ts'

/** A card as typed. */
export type TypedCard = {
  readonly title: string
  readonly description?: string
  readonly tags?: string
  readonly preview?: string
}

/** Connects one of the accounts of the development wallet. */
export async function connectDevelopment(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click()
  await page.getByRole('button', { name: `Wallet ${name}` }).waitFor()
}

/** Connects a wallet of the browser. */
export async function connectInjected(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  await page.getByRole('button', { name: `Wallet ${name}` }).waitFor()
}

/** Opens a view by its link in the header. */
export async function goTo(page: Page, name: 'Browse' | 'My memories' | 'Create'): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
}

/** Opens a tab of the page of a memory. */
export const showTab = (page: Page, name: string): Promise<void> =>
  page.getByRole('tab', { name }).click()

type Memory = { readonly text: string; readonly category: string; readonly card?: TypedCard }

/** Creates a memory from a text with the connected wallet, and returns the number of its token. */
export async function create(page: Page, { text, category, card }: Memory): Promise<string> {
  await goTo(page, 'Create')
  await chooseFile(page, text)
  await page.getByLabel('Category').fill(category)
  if (card !== undefined) await fillCard(page, card)
  await page.getByRole('button', { name: 'Seal and mint' }).click()
  await confirmAndClose(page)
  const heading = page.getByRole('heading', { name: /^Sealed as No\. \d+$/ })
  return /\d+/.exec((await heading.textContent()) ?? '')?.[0] ?? ''
}

/** Chooses a file with a text on the view that creates memories. */
export async function chooseFile(page: Page, text: string): Promise<void> {
  const file = { name: 'memory.json', mimeType: 'application/json', buffer: Buffer.from(text) }
  await page.getByLabel(/Drop a file here/).setInputFiles(file)
}

/** Types a card. */
export async function fillCard(page: Page, card: TypedCard): Promise<void> {
  const { title, description = '', tags = '', preview = '' } = card
  await page.getByLabel(/Add a public description/).check()
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await page.getByRole('textbox', { name: 'Description' }).fill(description)
  await page.getByRole('textbox', { name: 'Tags' }).fill(tags)
  await page.getByRole('textbox', { name: 'A sample of the memory' }).fill(preview)
}

/** The terms of a listing as typed; in ether unless another currency is named. */
export type TypedTerms = {
  readonly price?: string
  readonly rent?: string
  readonly fork?: string
  readonly percent?: string
  readonly currency?: 'ETH' | 'TUSD'
}

/** Lists the current memory, and closes the receipt. */
export async function list(page: Page, terms: TypedTerms): Promise<void> {
  await fillTerms(page, terms)
  await confirmAndClose(page)
}

/** Types the terms of the current memory, and opens the dialog of the listing. */
export async function fillTerms(page: Page, terms: TypedTerms): Promise<void> {
  const { currency = 'ETH' } = terms
  const panel = page.getByRole('region', { name: 'Your memory' })
  const title = panel.getByText(/^(List this memory|Change the listing)$/)
  await title.waitFor()
  const isOpen = await panel.getByLabel(/^Rent per day/).isVisible()
  if (!isOpen) await title.click()
  await panel.getByLabel(/^Rent per day/).waitFor()
  // Where the pair has no dollar, there is no choice.
  const choice = panel.getByRole('group', { name: 'Currency' })
  if (currency !== 'ETH' || (await choice.isVisible())) await choice.getByText(currency).click()
  await panel.getByLabel(new RegExp(`^Price \\(${currency}\\)`)).fill(terms.price ?? '')
  await panel.getByLabel(`Rent per day (${currency})`).fill(terms.rent ?? '')
  await panel.getByLabel(`Fork price (${currency})`).fill(terms.fork ?? '')
  await panel.getByLabel(/^Fork royalty/).fill(terms.percent ?? '5')
  await panel.getByRole('button', { name: /^List$|^Update the listing$/ }).click()
}

/** Closes the open dialog with the keyboard: it is hidden before the page hears that it was closed. */
export async function escapeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
}

/** Confirms the open dialog, waits for its receipt and closes it. */
export async function confirmAndClose(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Confirm|^Sign/ }).click()
  await dialog.getByText('Network fee').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
}

type Question = { readonly key: string | undefined; readonly text: string }

/** Asks an agent, whose settings of MCP the page shows, what its memories know; returns what it reads. */
export async function askAgent(
  settings: string,
  { key, text: question }: Question,
): Promise<string> {
  const { env, args } = JSON.parse(settings).mcpServers.heirloom
  expect(args.slice(-2)).toEqual(['heirloom', 'mcp'])
  const request = { name: 'recall', arguments: { text: question } }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: request }
  const run = hostCommand({
    words: ['mcp'],
    env: { ...env, HEIRLOOM_PRIVATE_KEY: key },
    input: Buffer.from(`${JSON.stringify(call)}\n`),
  })
  const [output, errors, code] = await Promise.all([text(run.stdout), text(run.stderr), run.code])
  expect(code, errors).toBe(0)
  return output
}
