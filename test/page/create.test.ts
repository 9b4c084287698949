import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rpc } from '../harness/process/server.ts'
import { chooseFile, confirmAndClose, connectInjected } from './actions.ts'
import { closeContext } from './chromium.ts'
import {
  embeddedNode,
  type InjectedWallet,
  injectedWallet,
  WalletRefusal,
} from './injected-wallet.ts'
import { openStage } from './stage.ts'
import { checkView, takeScreenshot, type Visitor, visit } from './visitor.ts'

const key = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba'
const emptyKey = '0x0123456789012345678901234567890123456789012345678901234567890123'

const { browser, server } = openStage('create')
let wallet: InjectedWallet
let visitor: Visitor
let methods: string[]

beforeEach(async () => {
  methods = []
  wallet = injectedWallet(key, embeddedNode(server.url))
  wallet.before = (method) => {
    methods.push(method)
  }
  visitor = await openVisitor(wallet)
  await visitor.page.goto(`${server.url()}/create`)
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await takeScreenshot(visitor, 'failed-create')
  await closeContext(visitor.context)
  expect(visitor.browserErrors).toEqual([])
})

const openVisitor = (as: InjectedWallet) =>
  visit(browser(), {
    url: server.url(),
    wallet: as,
    walletName: 'Elsewhere',
    expectedErrors: /status of 4\d\d .*\/api\/memory\/(seal|\d+\/lineage)|ERR_FAILED/,
  })

/** Fills the form of a new memory. */
async function fillForm(title: string): Promise<void> {
  const { page } = visitor
  await chooseFile(page, JSON.stringify({ learned: [title] }))
  await page.getByLabel('Category').fill('research')
  await page.getByLabel(/Add a public description/).check()
  await page.getByLabel('Title').fill(title)
}

const sealButton = () => visitor.page.getByRole('button', { name: 'Seal and mint' })
const dialog = () => visitor.page.getByRole('dialog')

type Deployment = { readonly agent: Hex }
type Token = { readonly creator: string; readonly owner: string }

const read = async <T>(path: string) => (await (await fetch(`${server.url()}${path}`)).json()) as T

const balanceOf = async (account: string) =>
  BigInt(await rpc<Hex>(server.url(), 'eth_getBalance', [account, 'latest']))

/** Returns the token that the page says it has created. */
async function createdToken(): Promise<Token> {
  const heading = visitor.page.getByRole('heading', { name: /^Sealed as No\. \d+$/ })
  const [tokenId] = /\d+/.exec((await heading.textContent()) ?? '') ?? []
  return (await read<{ readonly token: Token }>(`/api/memory/${tokenId}/lineage`)).token
}

test('the wallet of the visitor makes the memory, and the server spends nothing', async () => {
  const { page } = visitor
  const { agent } = await read<Deployment>('/api/deployment')
  const before = await balanceOf(agent)
  await connectInjected(page, 'Elsewhere')
  await fillForm('Made by its visitor')
  await page.getByText(/It pays the network fee \(/).waitFor()
  await page.getByRole('article').getByText('by 0x9965…A4dc').waitFor()
  await checkView(visitor, 'create-own')
  expect(methods).not.toContain('personal_sign')
  await sealButton().click()
  await dialog().getByRole('heading', { name: 'Mint your memory' }).waitFor()
  await dialog()
    .getByRole('row', { name: /^Network fee, estimated/ })
    .waitFor()
  await dialog().getByRole('button', { name: 'Confirm', exact: true }).waitFor()
  await checkView(visitor, 'mint')
  expect(methods).not.toContain('eth_sendTransaction')
  await dialog().getByRole('button', { name: 'Confirm', exact: true }).click()
  await dialog()
    .getByText(/^Minted as No\. \d+: you are its creator/)
    .waitFor()
  await checkView(visitor, 'minted')
  await dialog().getByRole('button', { name: 'Done' }).click()
  const { address } = wallet.account
  expect(await createdToken()).toMatchObject({ creator: address, owner: address })
  expect(await balanceOf(agent)).toBe(before)
  await page.getByRole('link', { name: /^View No\. \d+$/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Made by its visitor' }).waitFor()
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await page.getByText('This is exactly what').waitFor()
})

test('seals nothing when the signature is declined', async () => {
  await connectInjected(visitor.page, 'Elsewhere')
  await fillForm('Declined')
  wallet.before = (method) => {
    if (method === 'personal_sign') throw new WalletRefusal(4001, 'User rejected.')
  }
  await sealButton().click()
  await visitor.page.getByText('You declined in the wallet.').waitFor()
  wallet.before = () => undefined
  await visitor.page.getByRole('button', { name: 'Try again' }).click()
  await confirmAndClose(visitor.page)
  await createdToken()
})

test('a mint that was declined can be made later, also after the page was closed', async () => {
  const { page } = visitor
  await connectInjected(page, 'Elsewhere')
  await fillForm('Minted later')
  wallet.before = (method) => {
    if (method === 'eth_sendTransaction') throw new WalletRefusal(4001, 'User rejected.')
  }
  await sealButton().click()
  await dialog().getByRole('button', { name: 'Confirm', exact: true }).click()
  await dialog().getByText('You declined in the wallet.').waitFor()
  await dialog().getByText('The sealed memory waits under Create').waitFor()
  await checkView(visitor, 'mint-declined')
  await page.close()
  wallet.before = () => undefined
  const next = await visitor.context.newPage()
  visitor = { ...visitor, page: next }
  await next.goto(`${server.url()}/create`)
  const waiting = next.getByRole('region', { name: 'Sealed, not minted yet' })
  await waiting.getByText('Minted later').waitFor()
  await next.getByRole('button', { name: 'Wallet Elsewhere' }).waitFor()
  await checkView(visitor, 'unminted')
  await waiting.getByRole('button', { name: 'Mint' }).click()
  await confirmAndClose(next)
  expect((await createdToken()).creator).toBe(wallet.account.address)
  await waiting.waitFor({ state: 'detached' })
})

test('mints nothing that is sealed for another wallet, or whose time is over', async () => {
  const { page } = visitor
  await connectInjected(page, 'Elsewhere')
  await fillForm('Too late')
  await sealButton().click()
  await dialog().getByRole('button', { name: 'Confirm', exact: true }).waitFor()
  const switchTo = (account: string) =>
    page.evaluate(
      (detail) => dispatchEvent(new CustomEvent('wallet-accounts', { detail: [detail] })),
      account,
    )
  await switchTo('0x90F79bf6EB2c4f870365E785982E1f101E93b906')
  await dialog().getByText('The memory is sealed for 0x9965…A4dc').waitFor()
  await switchTo(wallet.account.address)
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await page.evaluate(() => {
    const [seal] = JSON.parse(localStorage.getItem('heirloom.sealed') ?? '[]')
    const soon = [{ ...seal, expiresAt: Date.now() + 60_000 }]
    localStorage.setItem('heirloom.sealed', JSON.stringify(soon))
  })
  await page.reload()
  const waiting = page.getByRole('region', { name: 'Sealed, not minted yet' })
  await waiting.getByRole('button', { name: 'Mint' }).click()
  await dialog().getByText('The time to mint this sealed memory is over.').waitFor()
  await dialog().getByRole('button', { name: 'Close' }).last().click()
  await waiting.getByRole('button', { name: 'Discard' }).click()
  await waiting.waitFor({ state: 'detached' })
  expect(methods).not.toContain('eth_sendTransaction')
})

test('signs no mint when the server sealed something else', async () => {
  const { page } = visitor
  await page.route('**/api/memory/seal', async (route) => {
    const response = await route.fetch()
    const stranger = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
    const json = { ...(await response.json()), recipient: stranger }
    return route.fulfill({ response, json })
  })
  await connectInjected(page, 'Elsewhere')
  await fillForm('Of a lying server')
  await sealButton().click()
  await page.getByText('something else than this page asked for: it names another owner').waitFor()
  expect(methods).not.toContain('eth_sendTransaction')
})

test('signs no mint when the server sealed another content', async () => {
  const { page } = visitor
  await page.route('**/api/memory/seal', async (route) => {
    const response = await route.fetch()
    const json = { ...(await response.json()), salt: `0x${'12'.repeat(32)}` }
    return route.fulfill({ response, json })
  })
  await connectInjected(page, 'Elsewhere')
  await fillForm('Of a server that seals its own')
  await sealButton().click()
  await page.getByText('its content is another one').waitFor()
  expect(methods).not.toContain('eth_sendTransaction')
})

test('seals once when the response is lost', async () => {
  const { page } = visitor
  const seals: unknown[] = []
  await page.route('**/api/memory/seal', async (route) => {
    const response = await route.fetch()
    seals.push(await response.json())
    return seals.length === 1 ? route.abort() : route.fulfill({ response })
  })
  await connectInjected(page, 'Elsewhere')
  await fillForm('Sealed once')
  await sealButton().click()
  await page.getByText('The server does not answer.').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await confirmAndClose(page)
  expect(seals).toHaveLength(2)
  expect(seals[1]).toEqual(seals[0])
})

test('a wallet without money learns it before the upload, and can let the server make it', async () => {
  await closeContext(visitor.context)
  wallet = injectedWallet(emptyKey, embeddedNode(server.url))
  visitor = await openVisitor(wallet)
  const { page } = visitor
  await page.goto(`${server.url()}/create`)
  await connectInjected(page, 'Elsewhere')
  await fillForm('Made by the server')
  await page.getByText('this server pays it, and you only sign').waitFor()
  // Without a relay it has to pay.
  await page.route('**/api/deployment', async (route) => {
    const response = await route.fetch()
    const json = { ...((await response.json()) as object), openActs: ['snapshot', 'seal'] }
    return route.fulfill({ response, json })
  })
  await page.reload()
  await page.getByRole('button', { name: 'Wallet Elsewhere' }).waitFor()
  await fillForm('Made by the server')
  await page.getByText(/^This wallet holds 0 ETH/).waitFor()
  await checkView(visitor, 'create-short')
  await page.getByLabel(/^The wallet of this server/).check()
  await sealButton().click()
  const { agent } = await read<Deployment>('/api/deployment')
  const { address } = wallet.account
  expect(await createdToken()).toMatchObject({ creator: agent, owner: address })
  await page.getByRole('link', { name: /^View No\. \d+$/ }).waitFor()
})

test('a memory that is made without a wallet does not end at an offer', async () => {
  const { page } = visitor
  await fillForm('Of the server')
  await page.getByText('No wallet is connected.').waitFor()
  await checkView(visitor, 'create-without-wallet')
  const uploads: string[] = []
  page.on('request', (it) => it.method() === 'POST' && uploads.push(it.url()))
  await sealButton().click()
  await page.getByText('This memory would not be yours.').waitFor()
  await checkView(visitor, 'create-for-server')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await sealButton().click()
  expect(uploads.filter((it) => it.includes('/api/memory/'))).toEqual([])
  await page.getByRole('button', { name: 'Mint it to the wallet of this server' }).click()
  await createdToken()
  await page.getByText('It belongs to the wallet of this server').waitFor()
  expect(await page.getByRole('region', { name: 'Offer it' }).count()).toBe(0)
  await checkView(visitor, 'created-by-server')
  await page.getByRole('link', { name: /^View No\. \d+$/ }).click()
  await page.getByText('wallet of this server').first().waitFor()
})

test('refuses a misleading description before the upload', async () => {
  await fillForm('Two  spaces')
  await visitor.page.getByText('The title has more than one space in a row.').waitFor()
  await expect.poll(() => sealButton().isDisabled()).toBe(true)
})

test('a wallet can be connected beside the button that seals', async () => {
  const { page } = visitor
  await fillForm('Mine after all')
  await sealButton().click()
  const step = page.getByRole('region', { name: '5. Seal and mint' })
  await step.getByRole('button', { name: 'Connect wallet' }).click()
  await dialog().getByRole('button', { name: 'Elsewhere', exact: true }).click()
  await page.getByRole('radio', { name: /^Your wallet/ }).waitFor()
  expect(await page.getByText('This memory would not be yours.').count()).toBe(0)
  await sealButton().waitFor()
})

test('a parent that does not exist is reported before anything is signed, once', async () => {
  const { page } = visitor
  await connectInjected(page, 'Elsewhere')
  await fillForm('An orphan')
  await page.getByLabel(/^Derived from/).fill('999999')
  await page.getByText('No. 999999 does not exist on this chain.').waitFor()
  // The estimate is that of a memory without a parent, and adds no problem of its own.
  await page.getByText(/It pays the network fee \(/).waitFor()
  await expect.poll(() => page.getByText('does not exist').count()).toBe(1)
  expect(await page.getByText('Check that the wallet is on the chain').count()).toBe(0)
  await expect.poll(() => sealButton().isDisabled()).toBe(true)
  await page.getByLabel(/^Derived from/).fill('')
  await expect.poll(() => sealButton().isEnabled()).toBe(true)
  expect(methods).not.toContain('personal_sign')
})

test('values to show with a proof are chosen from the memory, and a wrong one is named', async () => {
  const { page } = visitor
  await connectInjected(page, 'Elsewhere')
  await fillForm('Shows a line')
  const pointers = page.getByLabel(/^Values to show with a proof/)
  const publicSide = page.locator('.side.public')
  await pointers.fill('/data/nope')
  await page.getByText('“/data/nope” is not in this memory').waitFor()
  await expect.poll(() => sealButton().isDisabled()).toBe(true)
  expect(await publicSide.getByText('/data/nope').count()).toBe(0)
  await pointers.fill('')
  await page.getByText('Choose from the first values of the memory').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: /^\/data\/learned\/0/ }).focus()
  await page.keyboard.press('Space')
  await expect.poll(() => pointers.inputValue()).toBe('/data/learned/0')
  await publicSide.getByText('"Shows a line"').waitFor()
  await checkView(visitor, 'create-excerpts')
  await sealButton().click()
  await confirmAndClose(page)
  await createdToken()
})

/** Chooses files as the field for files receives them. */
async function choose(name: string, content: string | Buffer): Promise<void> {
  const file = { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) }
  await visitor.page.getByLabel(/Drop a file here/).setInputFiles(file)
}

test('another file brings suggestions of its own, and leaves what was typed', async () => {
  const { page } = visitor
  const agentFile = (name: string) => JSON.stringify({ agents: [{ name }], blocks: [], tools: [] })
  const [agent, title] = [
    page.getByRole('textbox', { name: /^Agent/ }),
    page.getByRole('textbox', { name: 'Title' }),
  ]
  const version = page.getByRole('textbox', { name: /^Version/ })
  const suggest = page.getByRole('button', { name: 'Suggest from the file' })
  await choose('ada.af', agentFile('Ada'))
  await expect.poll(() => agent.inputValue()).toBe('Ada')
  await version.fill('7')
  await page.getByLabel(/Add a public description/).check()
  await suggest.click()
  await expect.poll(() => title.inputValue()).toBe('Memory of Ada')
  await page.getByRole('textbox', { name: 'Tags' }).fill('typed')
  await choose('ben.af', agentFile('Ben'))
  await expect.poll(() => agent.inputValue()).toBe('Ben')
  await expect.poll(() => version.inputValue()).toBe('7')
  await expect.poll(() => title.inputValue()).toBe('')
  await expect.poll(() => page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('')
  await suggest.click()
  await expect.poll(() => title.inputValue()).toBe('Memory of Ben')
  await expect.poll(() => page.getByRole('textbox', { name: 'Tags' }).inputValue()).toBe('typed')
})

test('a picture is no broken folder, and files are named with their own sizes', async () => {
  const { page } = visitor
  const first = page.getByRole('region', { name: '1. The file' })
  await choose('bin.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00]))
  await first.getByText('bin.png is not text. Heirloom seals JSON and text files.').waitFor()
  expect(await page.getByRole('button', { name: 'Seal it as text' }).count()).toBe(0)
  const bundle = '{"data":{"n":1}, "metadata":{"category":"x"}}'
  await choose('bundle.json', bundle)
  await first.getByText(`${bundle.length} bytes`).waitFor()
  await visitor.page.locator('.drop').dispatchEvent('drop', { dataTransfer: await twoFiles() })
  await first.getByText('2 files').waitFor()
  await first.getByText('15 bytes. Recognised as Markdown or text files: 2 texts.').waitFor()
})

/** Returns two files as a browser hands them over when they are dropped. */
const twoFiles = () =>
  visitor.page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['{"a":1}'], 'dropped.json'))
    transfer.items.add(new File(['# Header'], 'b.md'))
    return transfer
  })

const step = () => visitor.page.getByRole('region', { name: '5. Seal and mint' })
const large = JSON.stringify({ notes: Array(30_000).fill('words and words '.repeat(20)) })

test('seals nothing while another file is read, and names the file that it seals', async () => {
  const { page } = visitor
  await connectInjected(page, 'Elsewhere')
  await choose('mem1.json', '{"learned":[1]}')
  await page.getByLabel('Category').fill('research')
  await expect.poll(() => sealButton().isEnabled()).toBe(true)
  await choose('big.json', large)
  await step().getByText('big.json is being read').waitFor()
  await expect.poll(() => sealButton().isDisabled()).toBe(true)
  await step().getByText('mem1.json, 15 bytes').waitFor()
  await step().getByText('big.json, 9.2 MiB').waitFor()
  expect(await step().getByText('is being read').count()).toBe(0)
  await expect.poll(() => sealButton().isEnabled()).toBe(true)
  await sealButton().click()
  await dialog().getByText('big.json, 9.2 MiB').waitFor()
})

test('of two files the one that was chosen last is read, however long the other takes', async () => {
  const { page } = visitor
  await choose('big.json', large)
  await choose('small.json', '{"learned":[1]}')
  await step().getByText('small.json, 15 bytes').waitFor()
  await expect.poll(() => page.workers().length).toBe(0)
  await step().getByText('small.json, 15 bytes').waitFor()
  expect(await page.getByText('big.json').count()).toBe(0)
})

test('a file that is refused is named, and leaves the draft as it is', async () => {
  const { page } = visitor
  const first = page.getByRole('region', { name: '1. The file' })
  await choose('notes.md', '# Notes')
  await page.getByLabel('Category').fill('research')
  await page.getByLabel(/Add a public description/).check()
  await page.getByLabel('Title').fill('Mine')
  for (const [name, content, sentence] of [
    ['broken.json', '{"a":[1,2,', 'broken.json ends too early (line 1, column 11)'],
    ['bin.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00]), 'bin.png is not text.'],
    ['empty.json', '', 'empty.json is empty.'],
  ] as const) {
    await choose(name, content)
    await first.getByText(sentence).waitFor()
    await first.getByText('notes.md stays chosen.').waitFor()
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Mine')
    await expect.poll(() => page.getByLabel('Category').inputValue()).toBe('research')
    await page.getByRole('button', { name: 'Discard the draft' }).waitFor()
    await step().getByText('notes.md, 7 bytes').waitFor()
  }
  await checkView(visitor, 'create-refused')
})

test('what was typed last is there after a reload', async () => {
  const { page } = visitor
  await fillForm('Typed last')
  const [agent, pointers] = [
    page.getByRole('textbox', { name: /^Agent/ }),
    page.getByLabel(/^Values to show with a proof/),
  ]
  for (const [name, values] of [
    ['Ada', '/data/learned/0'],
    ['Ben', ''],
    ['', '/data/learned'],
  ] as const) {
    await agent.fill(name)
    await pointers.fill(values)
    await page.reload()
    await page.getByText('This is your draft of').waitFor()
    expect([await agent.inputValue(), await pointers.inputValue()]).toEqual([name, values])
  }
})

test('a parent that is no number is refused at its field, and nothing else speaks of it', async () => {
  const { page } = visitor
  await connectInjected(page, 'Elsewhere')
  await fillForm('Derived from a word')
  const parent = page.getByLabel(/^Derived from/)
  await parent.fill('abc')
  await page.getByText('“abc” is not the number of a token.').waitFor()
  await expect.poll(() => parent.getAttribute('aria-invalid')).toBe('true')
  await page.getByText(/It pays the network fee \(/).waitFor()
  await expect.poll(() => page.getByText('abc').count()).toBe(1)
  expect(await page.getByText('The wallet failed').count()).toBe(0)
  expect(await page.locator('.side.public').getByText('Its parent').count()).toBe(0)
  await expect.poll(() => sealButton().isDisabled()).toBe(true)
  await checkView(visitor, 'create-parent')
  await parent.fill('')
  await expect.poll(() => sealButton().isEnabled()).toBe(true)
  await expect.poll(() => parent.getAttribute('aria-invalid')).toBe('false')
})

test('a public description without a title is no memory without a description', async () => {
  await fillForm('')
  const publicSide = visitor.page.locator('.side.public')
  await publicSide.getByText('A public description, whose title is missing').waitFor()
  expect(await publicSide.getByText('No public description').count()).toBe(0)
})
