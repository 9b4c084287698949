import { createClient } from '@heirloom/http/client'
import { beforeAll, expect, test } from 'vitest'
import { openStage } from './stage.ts'
import { checkView, type Visitor } from './visitor.ts'

const { enter, server } = openStage('cite')
let visitor: Visitor

beforeAll(async () => {
  visitor = await enter()
})

test('a memory is cited for BibTeX and as a sentence, each copied by a button', async () => {
  const { page } = visitor
  const client = createClient({ url: server.url() })
  const content = { data: { learned: [1] }, metadata: { category: 'research' } }
  const card = { title: 'Half \\ of {everything}' }
  const { tokenId, contentHash } = await client.snapshot({ ...content, card })
  // An empty market has no search to paste into.
  await client.list({ tokenId, price: 1n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 })
  const { chainId, registry } = await client.deployment()
  await page.goto(`${server.url()}/token/${tokenId}?tab=lineage`)
  await page.getByText('Cite', { exact: true }).click()
  const copied = async (name: string) => {
    await page.getByRole('button', { name }).click()
    await page.getByText(`Copied the citation ${name.slice(5)}.`).waitFor()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const bibtex = await copied('Copy for BibTeX')
  expect(bibtex).toContain(
    '{{Half \\textbackslash{} of \\textbraceleft{}everything\\textbraceright{}}}',
  )
  const sentence = await copied('Copy as a sentence')
  for (const text of [bibtex, sentence]) {
    expect(text).toContain(`eip155:${chainId}/erc721:${registry}/${tokenId}`)
    expect(text).toContain(contentHash)
    expect(text).toContain(`${server.url()}/token/${tokenId}`)
  }
  await checkView(visitor, 'cite')
})

test('every page can copy, also one that is not over HTTPS, and says so', async () => {
  const { page } = visitor
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  const address = page.getByRole('button', { name: /^address 0x.*, copy$/ }).first()
  await address.click()
  await expect.poll(() => address.getAttribute('data-copied')).toBe('✓')
  expect(await address.evaluate((it) => it === document.activeElement)).toBe(true)
  await page.getByRole('link', { name: 'Browse', exact: true }).click()
  const search = page.getByRole('searchbox', { name: 'Search' })
  await search.focus()
  await page.keyboard.press('ControlOrMeta+v')
  await expect.poll(() => search.inputValue()).toMatch(/^0x[0-9a-fA-F]{40}$/)
})
