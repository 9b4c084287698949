import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { createClient, type Page, type Token } from '@heirloom/http/client'
import { beforeAll, expect, test } from 'vitest'
import { developmentAccounts } from '../../packages/http/page/src/wallet/development-accounts.ts'
import { confirmAndClose, connectDevelopment, escapeDialog, goTo, showTab } from './actions.ts'
import { checkCards } from './broken-phrases.ts'
import { fillMarket } from './fill-market.ts'
import { openStage } from './stage.ts'
import { checkView, readLayoutShift, takeScreenshot, type Visitor } from './visitor.ts'

const { enter, server } = openStage('views')
let visitor: Visitor

beforeAll(async () => {
  visitor = await enter()
})

test('the first view is small, and loads only from the server', async () => {
  const { page } = visitor
  const loaded: string[] = []
  page.on('response', (response) => loaded.push(new URL(response.url()).pathname))
  await page.goto(server.url())
  await page.getByRole('heading', { name: 'Nothing is on offer now' }).waitFor()
  const files = loaded.filter((path) => path === '/' || path.startsWith('/assets/'))
  const [fonts, others] = [files.filter(isFont), files.filter((it) => !isFont(it))]
  expect(others).toContain('/')
  expect(sizeOf(others)).toBeGreaterThan(10_000)
  expect(sizeOf(others)).toBeLessThan(50_000)
  // Wallets, the graph, the tree and the contracts are loaded later, and what is loaded is packed
  // together: each further file costs a slow network a round trip.
  expect(others.length).toBeLessThanOrEqual(5)
  expect(fonts.length).toBe(1)
})

test('headings are in the font of the page, on every machine', async () => {
  const loaded = await visitor.page.evaluate(async () => {
    const { font } = getComputedStyle(document.querySelector('h1') as Element)
    const faces = await document.fonts.load(font, 'Zażółć')
    return faces.map(({ family, status }) => [family, status])
  })
  expect(loaded).toEqual([
    ['Newsreader', 'loaded'],
    ['Newsreader', 'loaded'],
  ])
  const fonts = readdirSync(join(server.page, 'assets')).filter(isFont)
  expect(sizeOf(fonts.map((it) => `assets/${it}`))).toBeLessThan(40_960)
})

const isFont = (path: string) => path.endsWith('.woff2')

/** Returns the bytes of files as browsers load them, each of which takes Brotli. */
const sizeOf = (paths: readonly string[]) =>
  paths
    .map((path) => readFileSync(join(server.page, path === '/' ? 'index.html' : path)))
    .reduce((sum, it) => sum + brotliCompressSync(it).length, 0)

test('an empty market shows the first steps', async () => {
  await checkView(visitor, 'browse-empty')
})

test('every view has an address, for GET and HEAD', async () => {
  const views = ['/', '/mine', '/create', '/activity', `/account/0x${'0'.repeat(40)}`]
  for (const path of [...views, '/docs', '/docs/guides/sell']) {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await fetch(`${server.url()}${path}`, { method })
      expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'no-cache'])
      expect(headers.get('content-security-policy')).toContain(
        "default-src 'none'; script-src 'self'",
      )
    }
  }
})

test('the browse view shows the listings', async () => {
  await fillMarket(server.url())
  const { page } = visitor
  await page.goto(server.url())
  await page.getByText('5 memories, 6 offers').waitFor()
  await checkView(visitor, 'browse')
  await checkCards(visitor, 'cards')
})

test('filters are links with numbers, stay in the address, and Back undoes them', async () => {
  const { page } = visitor
  const category = page.getByRole('region', { name: 'Category' })
  const support = category.getByRole('listitem').filter({ hasText: 'support' })
  await expect.poll(() => support.textContent()).toBe('support2')
  await page.getByRole('link', { name: 'Forkable' }).click()
  await page.getByText('4 memories are on offer').waitFor()
  await category.getByRole('link', { name: 'trading' }).click()
  await page.getByText('1 memory is on offer').waitFor()
  await page.reload()
  await page.getByText('1 memory is on offer').waitFor()
  await page.getByLabel('Order').selectOption('cheapest-fork')
  await page.waitForURL(/sort=cheapest-fork/)
  await page.goBack()
  await page.goBack()
  await page.getByText('4 memories are on offer').waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('nothing such')
  await page.getByText('No listing matches').waitFor()
  // A link would lead to an empty list; those of the list before stay until the next is there.
  const links = page.getByRole('region', { name: 'On offer' }).getByRole('link')
  await expect.poll(() => links.allTextContents()).toEqual(['Forkable, chosen: remove✕'])
  await checkView(visitor, 'browse-nothing-found')
  await page.goBack()
  await page.getByText('4 memories are on offer').waitFor()
  const search = page.getByRole('searchbox', { name: 'Search' })
  await expect.poll(() => search.inputValue()).toBe('')
})

test('a question leads to the nearest memories, and says which words none has', async () => {
  const { page } = visitor
  const question = 'how do I calm people who could not log in at midnight'
  await page.goto(`${server.url()}/?search=${encodeURIComponent(question)}`)
  await page.getByText('No memory has all of these words; shown are the nearest.').waitFor()
  await page.getByText('Left out: “midnight”, which no memory has.').waitFor()
  const [first] = await page.getByRole('article').all()
  await first?.getByRole('heading', { name: 'What support taught me' }).waitFor()
  expect(await page.title()).toBe(`${question} · Heirloom`)
  await checkView(visitor, 'browse-question')
  await page.goto(server.url())
})

test('a family of forks is one card, which leads to the others', async () => {
  const { page } = visitor
  await page.goto(server.url())
  await page.getByText('5 memories, 6 offers').waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(5)
  await page.getByRole('link', { name: '1 more offer of this memory' }).click()
  await page.getByText('1 memory, 2 offers').waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(2)
  await page.getByText(/^Original by\s+0x/).waitFor()
  await page.getByRole('heading', { name: 'Family of No. 1 · What support taught me' }).waitFor()
  await checkView(visitor, 'browse-family')
  await page.getByRole('link', { name: 'Show all', exact: true }).click()
  await page.getByText('5 memories, 6 offers').waitFor()
})

test('an original stands for its family, whatever was listed last', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/?category=support`)
  await page.getByText('1 memory, 2 offers').waitFor()
  const card = page.getByRole('article')
  await expect.poll(() => card.count()).toBe(1)
  await card.getByText('No. 1 ·').waitFor()
  await card.getByText('fork', { exact: true }).waitFor({ state: 'detached' })
})

test('a search for a number or an address leads to its page', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/?search=%235`)
  await page.getByRole('link', { name: 'Go to No. 5', exact: true }).click()
  await page.waitForURL(/\/token\/5$/)
  const account = developmentAccounts[0]?.address
  await page.goto(`${server.url()}/?search=${account}`)
  await page.getByRole('link', { name: `Go to the account ${account}` }).click()
  await page.waitForURL(new RegExp(`/account/${account}$`))
})

test('long prices stay inside their cells, and the page inside the window, at every width', async () => {
  const { page } = visitor
  const client = createClient({ url: server.url() })
  const { tokenId } = await client.snapshot({
    data: { about: 'long prices' },
    metadata: { category: 'prices' },
    card: { title: 'Long prices', category: 'prices' },
  })
  const price = 4_166_666_666_666_667n
  const prices = { price: 80n * price, rentalPricePerDay: price, forkPrice: price * 3n }
  await client.list({ tokenId, ...prices, forkRoyaltyBps: 500 })
  const newest = await fetch(`${server.url()}/api/memory?limit=1`)
  const { items } = (await newest.json()) as Page<Token>
  const paths = ['/?category=prices', `/token/${tokenId}`, `/account/${items[0]?.owner}`]
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of paths) {
      await page.goto(`${server.url()}${path}`)
      await page.locator('.offers data, .offer data').first().waitFor()
      expect([width, path, await page.evaluate(findOverflow)]).toEqual([width, path, []])
    }
    await takeScreenshot(visitor, `long-prices-${width}`)
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await client.list({ tokenId, price: 0n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 })
})

test('the masthead has one line of links and one of tools, also on a narrow phone', async () => {
  const { page } = visitor
  for (const width of [320, 360, 390, 768, 864, 1024, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(server.url())
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    await links.first().waitFor()
    const tops = await links.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top))
    expect([width, tops.length, new Set(tops).size]).toEqual([width, 4, 1])
    const inLine = page.locator('.brand, .tools button')
    const middles = await inLine.evaluateAll((all) =>
      all.map((it) => it.getBoundingClientRect()).map(({ top, height }) => top + height / 2),
    )
    expect(middles).toHaveLength(4)
    expect([width, Math.max(...middles) - Math.min(...middles) < 4]).toEqual([width, true])
  }
})

test('an account moves little while it is loaded, and shows one list at a time', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/account/${developmentAccounts[0]?.address}`)
  await page
    .getByRole('region', { name: 'Activity', exact: true })
    .getByRole('row')
    .first()
    .waitFor()
  const shift = await page.evaluate(readLayoutShift)
  expect(shift).toBeLessThanOrEqual(0.02)
  await checkView(visitor, 'account-tabs')
})

test('a misspelt search shows what was meant', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/?search=protien+foldimg`)
  await page.getByText('No listing matches “protien foldimg”').waitFor()
  await page.getByRole('link', { name: 'A reader’s notes on protein folding' }).waitFor()
  await page.getByText('1 memory is on offer').waitFor()
  // The numbers are those of the words that were meant.
  const category = page.getByRole('region', { name: 'Category' })
  await category.getByRole('listitem').filter({ hasText: 'research1' }).waitFor()
  await checkView(visitor, 'browse-corrected')
})

/** Returns what is wider than the cell or the window that it stands in. */
function findOverflow(): string[] {
  const isOutside = (price: Element) => {
    const cell = price.parentElement?.parentElement
    return cell != null && price.getBoundingClientRect().right > cell.getBoundingClientRect().right
  }
  const prices = [...document.querySelectorAll('.offers data, .offer data')].filter(isOutside)
  const wide = document.documentElement.scrollWidth - innerWidth
  return [...prices.map((it) => it.textContent), ...(wide > 0 ? [`${wide} px`] : [])]
}

test('tags and categories lead to their listings', async () => {
  const { page } = visitor
  for (const name of ['biology', 'research']) {
    await page.goto(server.url())
    await page
      .getByRole('article')
      .filter({ hasText: 'protein' })
      .getByRole('link', { name })
      .click()
    await page.getByText('1 memory is on offer').waitFor()
    expect(new URL(page.url()).search).toMatch(/^\?(tag=biology|category=research)/)
  }
})

test('a token shows its lineage and its terms', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/token/1`)
  await showTab(page, 'Lineage')
  await page.getByText('hash matches the chain').waitFor()
  await page.getByRole('link', { name: /^No\. 1 .*original$/ }).waitFor()
  await showTab(page, 'History')
  await page
    .getByRole('row', { name: /^Rented/ })
    .first()
    .waitFor()
  await checkView(visitor, 'token')
})

test('a dialog offers the wallets', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Connect wallet' }).first().click()
  await page.getByRole('heading', { name: 'Try it with play money' }).waitFor()
  await checkView(visitor, 'wallet')
  await escapeDialog(page)
  await connectDevelopment(page, 'Ada')
})

test('an act shows its cost before anything is signed', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/token/7`)
  await page.getByRole('button', { name: 'Wallet Ada' }).waitFor()
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await page.getByRole('button', { name: 'Confirm and pay' }).waitFor()
  await checkView(visitor, 'buy')
  await page.getByRole('button', { name: 'Confirm and pay' }).click()
  await page.getByRole('dialog').getByText('No. 7 is yours.').waitFor()
  await checkView(visitor, 'receipt')
  await page.getByRole('button', { name: 'Done' }).click()
})

test('shows an opened memory as a tree', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await page.getByText('This is exactly what').waitFor()
  await checkView(visitor, 'opened')
})

test('compares an opened memory with another version of its lineage', async () => {
  const { page } = visitor
  const client = createClient({ url: server.url() })
  const recipient = developmentAccounts[0]?.address
  const save = async (data: object, parentTokenId?: string) =>
    client.snapshot({ data, metadata: { category: 'notes' }, parentTokenId, recipient })
  const text = 'one\ntwo\nthree\nfour\n'
  const { tokenId: older } = await save({ mood: 'calm', text, notes: [{ id: 1 }] })
  const attack = '<img src=x onerror="alert(1)">\u{202E}'
  const newer = { mood: attack, text: `${text}five\n`, notes: [{ id: 2 }, { id: 1 }] }
  const { tokenId } = await save(newer, older)
  await page.goto(`${server.url()}/token/${tokenId}`)
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await page.getByLabel('This version with').waitFor()
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page
    .getByText(`3 changes from No. ${older} to No. ${tokenId}: 2 changed, 1 added.`)
    .waitFor()
  const shown = await page.locator('.changes').textContent()
  expect(shown).toContain('Changed /data/mood')
  expect(shown).toContain('<img src=x onerror=\\"alert(1)\\">\\u{202e}')
  expect(await page.locator('.changes img').count()).toBe(0)
  await checkView(visitor, 'compared')
})

test('a licensed fork and its parent are the same, which needs no access to the parent', async () => {
  const { page } = visitor
  const client = createClient({ url: server.url() })
  const recipient = developmentAccounts[0]?.address
  const { tokenId } = await client.snapshot({
    data: { kept: true },
    metadata: { category: 'notes' },
  })
  const terms = { price: 0n, rentalPricePerDay: 0n, forkPrice: 1n, forkRoyaltyBps: 100 }
  await client.list({ tokenId, ...terms })
  const { tokenId: child } = await client.fork(tokenId, { recipient })
  await page.goto(`${server.url()}/token/${child}`)
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await page.getByLabel('This version with').waitFor()
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.getByText(`No. ${child} and No. ${tokenId} are the same, byte for byte`).waitFor()
  await checkView(visitor, 'compared-same')
})

test('my memories shows what the wallet owns, rents and has earned', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/mine`)
  await page.getByRole('link', { name: 'Rented' }).click()
  await page
    .getByRole('region', { name: 'Rented' })
    .getByText(/d 23 h/)
    .waitFor()
  await page.getByRole('region', { name: 'Earnings' }).getByText('Total').first().waitFor()
  await checkView(visitor, 'mine')
})

test('create shows what will be public, and warns of secrets', async () => {
  const { page } = visitor
  await page.goto(`${server.url()}/create`)
  const text = JSON.stringify({
    learned: ['Prefer limit orders'],
    env: { OPENAI_API_KEY: `sk-proj-${'a1B2'.repeat(8)}` },
    notes: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
  })
  await page.getByText('Paste JSON or text instead').click()
  await page.getByLabel('Text', { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Use this text' }).click()
  await page.getByLabel('Category').fill('trading')
  await page.getByLabel(/Add a public description/).check()
  await page.getByLabel('Title').fill('Order books, patiently')
  await page.getByText(/Recovery phrase of 12 words/).waitFor()
  await page.getByText('AI provider key at env.OPENAI_API_KEY (line 1)').waitFor()
  await expect
    .poll(() => page.getByRole('button', { name: 'Seal and mint' }).isDisabled())
    .toBe(true)
  await checkView(visitor, 'create')
  await page.getByLabel('I have checked each one').check()
  await page.getByRole('button', { name: 'Seal and mint' }).click()
  await confirmAndClose(page)
  await page.getByRole('heading', { name: /^Sealed as/ }).waitFor()
  await checkView(visitor, 'created')
})

test('an unknown address shows that there is no page', async () => {
  const { page } = visitor
  await page.goto(server.url())
  await page.evaluate(() => {
    history.pushState(null, '', '/token/x')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await checkView(visitor, 'lost')
})

test('a number of no memory leads back to the list, and no wallet to a wallet', async () => {
  const { page } = await enter({ expectedErrors: /status of 404 / })
  await page.goto(`${server.url()}/token/999`)
  await page.getByRole('status').getByRole('link', { name: 'Browse the memories' }).click()
  await page.getByRole('heading', { name: /^Memory you can own/ }).waitFor()
  await goTo(page, 'My memories')
  await page.getByRole('main').getByRole('button', { name: 'Connect wallet' }).waitFor()
})

test('stores the chosen theme', async () => {
  const { page } = visitor
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
  await page.goto(server.url())
  await page.getByRole('button', { name: 'Dark appearance' }).click()
  await expect.poll(theme).toBe('dark')
  await page.reload()
  await expect.poll(theme).toBe('dark')
  await page.getByRole('button', { name: 'Light appearance' }).click()
})

test('a memory can be opened with the keyboard alone', async () => {
  const { page } = visitor
  await page.goto(server.url())
  await page.getByText(/ offers$|are on offer/).waitFor()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Skip')
  await page.getByRole('link', { name: 'What support taught me' }).last().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'What support taught me' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
})

test('the newest version stands for its memory in the list, and the cheapest by price', async () => {
  const { page } = visitor
  const client = createClient({ url: server.url() })
  const prices = { price: 5n, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }
  const save = async (parentTokenId: string | undefined, title: string) => {
    const { tokenId } = await client.snapshot({
      data: { title },
      metadata: { category: 'sea' },
      card: { title },
      parentTokenId,
    })
    await client.list({ tokenId, ...prices })
    return tokenId
  }
  const first = await save(undefined, 'Tides of the bay')
  const newest = await save(await save(first, 'Tides of the bay'), 'Tides of the bay')
  await save(newest, 'Tides of the harbour')
  await page.goto(`${server.url()}/?search=tides`)
  await page.getByText('2 memories, 4 offers').waitFor()
  const card = page.getByRole('article').filter({ hasText: 'Tides of the bay' })
  await card.getByText(`No. ${newest}`).waitFor()
  await card.getByRole('link', { name: '2 more offers of this memory, 3 versions' }).click()
  await page.getByText('1 memory, 3 offers').waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(3)
  await client.list({ tokenId: first, ...prices, price: 4n })
  await page.goto(`${server.url()}/?search=tides&sort=cheapest`)
  const why = `2 more offers of this memory, 3 versions; No. ${first} has the lowest price`
  await card.getByRole('link', { name: why }).waitFor()
  await checkCards(visitor, 'family-by-price')
})
