import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { bytesToHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webGlobals } from '../../packages/http/test/web-globals.ts'
import { viemRange } from '../../publish/client/manifest.ts'
import { type Stranger, stranger } from '../harness/docs/stranger.ts'
import { bytesIn, tarballPath } from '../harness/packages/packed-client.ts'
import { type Published, publish } from '../harness/packages/publish.ts'
import { sharedServer } from '../harness/process/shared-server.ts'
import { tier } from '../tier.ts'

const server = sharedServer()
const strangers: Stranger[] = []
let registry: Published
beforeAll(async () => {
  registry = await publish()
})
afterAll(async () => {
  for (const { remove } of strangers) remove()
  await registry?.close()
})

/** Installs the client from its tarball, and another package, in an empty folder. */
async function install(other: string): Promise<Stranger> {
  const one = stranger(registry.url)
  strangers.push(one)
  await one.run(`npm install ${tarballPath(registry, 'client')} ${other}`)
  return one
}

/** The client beside the newest viem, installed once. */
let newest: Promise<Stranger> | undefined
const withViem = (): Promise<Stranger> => {
  newest ??= install('viem')
  return newest
}

/** A program of the own wallet: it makes a memory, lists it, and opens it. */
const walletProgram = `
import { createClient } from '@heirloom/client'
import { openWallet } from '@heirloom/client/wallet'
import { privateKeyToAccount } from 'viem/accounts'

export async function run({ url, key }) {
  const account = privateKeyToAccount(key)
  const wallet = await openWallet({ url, account })
  const memory = { data: { mood: 'calm' }, metadata: { category: 'research' } }
  const { tokenId } = await wallet.snapshot(memory)
  const none = { rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 }
  await wallet.list({ tokenId, price: 10n ** 15n, ...none })
  const { price, seller } = await wallet.listing(tokenId)
  const { data } = await createClient({ url, account }).download(tokenId)
  return [price, seller === account.address, data.mood].join(' ')
}
`
const walletOutput = '1000000000000000 true calm'

// The first account of the embedded chain has native money.
const words = 'test test test test test test test test test test test junk'
const key = bytesToHex(mnemonicToAccount(words).getHdKey().privateKey ?? new Uint8Array())
const settings = () => JSON.stringify({ url: server.url, key })

test('a stranger saves and restores a memory from an empty folder on', async () => {
  const { folder, write, run } = await withViem()
  const readme = readFileSync(join(folder, 'node_modules/@heirloom/client/README.md'), 'utf8')
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  write('first.mts', program.replace('http://127.0.0.1:3000', server.url))
  expect(await run('node first.mts')).toBe("[ 'users prefer short answers' ]\n")
  expect(bytesIn(join(folder, 'node_modules'))).toBeLessThan(60_000_000)
})

test('with a small signer it takes less than 6 MB on the disk', async () => {
  const { folder, write, run } = await install('@noble/curves @noble/hashes')
  const document = readFileSync(join(import.meta.dirname, '../../docs/client.md'), 'utf8')
  const [, program = ''] = /```ts small-signer\.mts\n([\s\S]*?)```/.exec(document) ?? []
  write('small-signer.mts', program)
  const environment = { HEIRLOOM_URL: server.url, HEIRLOOM_PRIVATE_KEY: key }
  const output = await run('node small-signer.mts', environment)
  expect(output).toBe("{ learned: [ 'users prefer short answers' ] }\n")
  const modules = join(folder, 'node_modules')
  const sizes = (await run(`du -sk ${modules}`)).split('\t')
  expect(Number(sizes[0])).toBeLessThan(6_000)
})

const { getRandomValues, subtle } = crypto
const webCrypto = { getRandomValues: getRandomValues.bind(crypto), subtle }
/** The other globals of a browser that viem uses; its bytes are those that TextEncoder returns. */
const webOfViem = {
  Headers,
  Request,
  Response,
  Uint8Array,
  atob,
  btoa,
  clearInterval,
  performance,
  setInterval,
}
const absent = ['undefined', 'undefined']

/** The newest viem, and in the long tier also the oldest of the range. */
const versions = ['viem', ...(tier === 'long' ? [`viem@${viemRange.slice(1)}`] : [])]

describe.each(versions)('with %s', (viem) => {
  let one: Stranger
  beforeAll(async () => {
    one = viem === 'viem' ? await withViem() : await install(viem)
  })

  test('the own wallet makes, lists and opens a memory', async () => {
    one.write('wallet.mjs', walletProgram)
    const start = `import { run } from './wallet.mjs'\nconsole.log(await run(${settings()}))\n`
    one.write('start.mjs', start)
    expect(await one.run('node start.mjs')).toBe(`${walletOutput}\n`)
  })

  test('it does so in a browser, which has no module of Node', async () => {
    one.write('wallet.mjs', walletProgram)
    const input = join(one.folder, 'wallet.mjs')
    const bundle = await rolldown({ input, platform: 'browser', external: () => false })
    const { output } = await bundle.generate({
      format: 'iife',
      name: 'program',
      codeSplitting: false,
    })
    await bundle.close()
    const browser = createContext({ ...webGlobals(), ...webOfViem, crypto: webCrypto })
    expect(runInContext('[typeof process, typeof Buffer]', browser)).toEqual(absent)
    const { run } = runInContext(`${output[0].code};program`, browser)
    expect(await run(JSON.parse(settings()))).toBe(walletOutput)
  })

  test('a program of the wallet compiles under strict', async () => {
    const account = "import { privateKeyToAccount } from 'viem/accounts'"
    one.write(
      'typed.ts',
      `import { openWallet } from '@heirloom/client/wallet'\n${account}
       const url = 'http://127.0.0.1:3000'
       export const open = (key: \`0x\${string}\`) =>
         openWallet({ url, account: privateKeyToAccount(key), rpcUrl: url })\n`,
    )
    const options = '--noEmit --strict --exactOptionalPropertyTypes --ignoreConfig'
    await one.run(
      `tsc --singleThreaded ${options} --target es2024 --module nodenext --types --skipLibCheck typed.ts`,
    )
  })
})

test.runIf(tier === 'long')('the client saves and restores with Node 20', async () => {
  const { write, run } = await withViem()
  write(
    'old.mjs',
    `import { createClient } from '@heirloom/client'
     import { privateKeyToAccount } from 'viem/accounts'
     const { url, key } = ${settings()}
     const account = privateKeyToAccount(key)
     const client = createClient({ url, account })
     const metadata = { category: 'research' }
     const recipient = account.address
     const { tokenId } = await client.snapshot({ data: { mood: 'calm' }, metadata, recipient })
     const { data } = await client.download(tokenId)
     console.log(process.versions.node.split('.')[0], data.mood)`,
  )
  write('old.sh', "npx -y -p node@20 -c 'node old.mjs'\n")
  expect(await run('bash old.sh')).toBe('20 calm\n')
})
