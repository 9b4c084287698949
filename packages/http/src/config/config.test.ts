import { resolve } from 'node:path'
import { isFailure } from '@heirloom/core'
import { arbitraryWei } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Environment, readConfig } from './config.ts'

const key = `0x${'11'.repeat(32)}`
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const remote = { RPC_URL: 'https://node.example/v1', AGENT_PRIVATE_KEY: key, MASTER_KEYS: key }

function problemOf(env: Environment): { readonly name: string; readonly message: string } {
  try {
    readConfig(env)
  } catch (error) {
    if (isFailure(error, 'config/invalid'))
      return { name: error.facts.name, message: error.message }
    throw error
  }
  throw new Error('The configuration was taken.')
}

describe('an environment', () => {
  test.each([{}, { HOST: '', PORT: ' ', API_KEYS: '' }])('of %j has the defaults', (env) => {
    expect(readConfig(env)).toEqual({
      host: '127.0.0.1',
      port: 3000,
      stopDelay: 0,
      dataDir: '.heirloom',
      logLevel: 'info',
      bodyLimit: 256 * 1024 * 1024,
      keepOpened: 64 * 1024 * 1024,
      publicUrl: undefined,
      requireBoundProof: false,
      apiKeys: [],
      apiKeysFile: undefined,
      openActs: [],
      seals: {
        bounds: {
          perAccount: { seals: 1000, bytes: 2 ** 28 },
          perClient: { seals: 0, bytes: 0 },
          inAll: { seals: 20_000, bytes: 2 ** 31 },
        },
        storedBytes: 2 ** 36,
        lifetime: 43_200_000,
      },
      openingsDays: 400,
      sealInParts: undefined,
      relay: {
        gas: 500_000n,
        perAct: 10n ** 16n,
        perAccount: 5n * 10n ** 16n,
        perClient: undefined,
        perDay: 10n ** 18n,
        leastOrder: 10_000n,
      },
      bounds: {
        requestsPerMinute: 0,
        connections: 10_000,
        connectionsPerClient: 0,
        mcpPerClient: 0,
        streamsPerClient: 100,
        downloadBytes: 2 ** 28,
        uploadBytes: 2 ** 29,
        slowReaderSeconds: 30,
        trustProxy: undefined,
      },
      chain: { kind: 'embedded' },
      contracts: undefined,
      agentKey: undefined,
      masterKeys: [],
      masterKeyFile: undefined,
      databaseUrl: undefined,
      webhooksToPrivate: false,
      catalogueFrom: undefined,
      confirmations: 1,
      limits: { perCall: undefined, perDay: undefined },
      rpc: { isOn: true, gas: 150_000n, gasPerDay: 200_000_000n, extensions: undefined },
      publicChain: {
        rpcUrl: undefined,
        name: undefined,
        nativeSymbol: undefined,
        explorerUrl: undefined,
        nativePrice: undefined,
      },
      ens: undefined,
      faucet: { isOn: true, perDay: 100 },
      blobStore: undefined,
      network: undefined,
    })
  })

  test.each([
    [{}, true],
    [{ HOST: 'localhost' }, true],
    [{ HOST: '::1' }, true],
    [{ RPC_OPEN: 'false' }, false],
    [{ HOST: '0.0.0.0', API_KEYS: 'a-key-of-some-length' }, false],
    [{ HOST: '0.0.0.0', OPEN_WRITES: 'true' }, false],
    [{ HOST: '0.0.0.0', API_KEYS: 'a-key-of-some-length', RPC_OPEN: 'true' }, true],
  ])('of %j turns the JSON-RPC of its chain on: %s', (env, isOn) => {
    expect(readConfig(env).rpc.isOn).toBe(isOn)
  })

  test.each([
    { RPC_OPEN: 'yes' },
    { RPC_GAS: '20999' },
    { RPC_GAS: '16777217' },
    { RPC_GAS_PER_DAY: '-1' },
    { RPC_EXTENSIONS: 'https://wallet.example' },
    { RPC_EXTENSIONS: 'nkbihfbeogaeaoehlefnkodbefgpgknn' },
  ])('of %j is refused', (env) => {
    expect(problemOf(env).name).toBe(Object.keys(env)[0])
  })

  test('with everything set is taken as it is', () => {
    const config = readConfig({
      ...remote,
      HOST: '0.0.0.0',
      PORT: '0',
      DATA_DIR: 'data',
      LOG_LEVEL: 'silent',
      KEEP_OPENED: '0',
      BODY_LIMIT: '1024',
      API_KEYS: 'a-key-of-some-length, another-key-of-some-length',
      API_KEYS_FILE: 'keys.json',
      OPEN_ACTS: 'seal,relay',
      PUBLIC_URL: 'https://memories.example',
      SEALS_PER_ACCOUNT: '11',
      SEALS_PER_CLIENT: '12',
      SEALS: '13',
      SEAL_BYTES_PER_ACCOUNT: '14',
      SEAL_BYTES_PER_CLIENT: '15',
      SEAL_BYTES: '16',
      SEAL_STORED_BYTES: '0',
      SEAL_SECONDS: '17',
      SEAL_IN_PARTS: 'false',
      OPENINGS_DAYS: '18',
      RELAY_GAS: '50000',
      RELAY_SPEND_PER_ACT: '1',
      RELAY_SPEND_PER_ACCOUNT: '2',
      RELAY_SPEND_PER_CLIENT: '3',
      RELAY_SPEND_PER_DAY: '4',
      RELAY_LEAST_ORDER: '5',
      REQUESTS_PER_MINUTE: '1',
      CONNECTIONS: '2',
      CONNECTIONS_PER_CLIENT: '3',
      STREAMS_PER_CLIENT: '4',
      MCP_PER_CLIENT: '8',
      DOWNLOAD_BYTES: '5',
      UPLOAD_BYTES: '6',
      SLOW_READER_SECONDS: '7',
      TRUST_PROXY: '10.0.0.0/8, ::1, loopback',
      CHAIN_ID: '8453',
      RPC_WAIT: '60',
      STOP_DELAY: '6',
      REGISTRY_ADDRESS: address.toLowerCase(),
      MARKETPLACE_ADDRESS: address,
      MASTER_KEYS: `${'22'.repeat(32)},${key}`,
      DATABASE_URL: 'postgres://heirloom@db.example/jobs',
      WEBHOOKS_TO_PRIVATE: 'true',
      CATALOGUE_FROM: '20000000',
      CONFIRMATIONS: '12',
      MAX_SPEND_PER_CALL: '1000000000000000000000000000000',
      MAX_SPEND_PER_DAY: '0',
      RPC_OPEN: 'true',
      RPC_GAS: '16777216',
      RPC_GAS_PER_DAY: '1000000000',
      RPC_EXTENSIONS: 'chrome-extension://abc, moz-extension://1-2',
      PUBLIC_RPC_URL: 'https://rpc.example/',
      CHAIN_NAME: 'Example (test)',
      NATIVE_SYMBOL: 'xDAI',
      NATIVE_PRICE: '3000.5 EUR',
      EXPLORER_URL: 'https://explorer.example/base',
      ENS_REGISTRY: '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e',
      FAUCET_OPEN: 'true',
      FAUCET_PER_DAY: '9',
      IPFS_LISTEN: '/ip4/0.0.0.0/tcp/4001',
      IPFS_PEERS: '/dns4/a/tcp/1/p2p/x, /dns4/b/tcp/1/p2p/y',
      IPFS_PEER_KEY: 'ab'.repeat(32),
      BLOB_COPIES: '3',
      BLOB_BYTES_PER_PEER: '5000',
    })
    expect(config).toEqual({
      host: '0.0.0.0',
      port: 0,
      stopDelay: 6,
      dataDir: 'data',
      logLevel: 'silent',
      bodyLimit: 1024,
      keepOpened: 0,
      publicUrl: 'https://memories.example',
      requireBoundProof: false,
      apiKeys: ['a-key-of-some-length', 'another-key-of-some-length'],
      apiKeysFile: 'keys.json',
      openActs: ['seal', 'relay'],
      seals: {
        bounds: {
          perAccount: { seals: 11, bytes: 14 },
          perClient: { seals: 12, bytes: 15 },
          inAll: { seals: 13, bytes: 16 },
        },
        storedBytes: 0,
        lifetime: 17_000,
      },
      openingsDays: 18,
      sealInParts: false,
      relay: {
        gas: 50_000n,
        perAct: 1n,
        perAccount: 2n,
        perClient: 3n,
        perDay: 4n,
        leastOrder: 5n,
      },
      bounds: {
        requestsPerMinute: 1,
        connections: 2,
        connectionsPerClient: 3,
        mcpPerClient: 8,
        streamsPerClient: 4,
        downloadBytes: 5,
        uploadBytes: 6,
        slowReaderSeconds: 7,
        trustProxy: ['10.0.0.0/8', '::1', 'loopback'],
      },
      chain: {
        kind: 'remote',
        urls: [new URL(remote.RPC_URL)],
        chainId: 8453,
        quorum: 1,
        patience: 1000 * 60,
      },
      contracts: { registry: address, marketplace: address },
      agentKey: key,
      masterKeys: [Buffer.alloc(32, 0x22), Buffer.alloc(32, 0x11)],
      masterKeyFile: undefined,
      databaseUrl: 'postgres://heirloom@db.example/jobs',
      webhooksToPrivate: true,
      catalogueFrom: 20_000_000,
      confirmations: 12,
      limits: { perCall: 10n ** 30n, perDay: 0n },
      rpc: {
        isOn: true,
        gas: 16_777_216n,
        gasPerDay: 1_000_000_000n,
        extensions: ['chrome-extension://abc', 'moz-extension://1-2'],
      },
      publicChain: {
        rpcUrl: 'https://rpc.example',
        name: 'Example (test)',
        nativeSymbol: 'xDAI',
        explorerUrl: 'https://explorer.example/base',
        nativePrice: { price: '3000.5', currency: 'EUR' },
      },
      ens: '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e',
      faucet: { isOn: true, perDay: 9 },
      blobStore: undefined,
      network: {
        listen: ['/ip4/0.0.0.0/tcp/4001'],
        peers: ['/dns4/a/tcp/1/p2p/x', '/dns4/b/tcp/1/p2p/y'],
        seed: Buffer.alloc(32, 0xab),
        copies: { count: 3, bytesPerPeer: 5000 },
      },
    })
  })

  test.each<[string, Environment]>([
    ['STOP_DELAY', { STOP_DELAY: '601' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '-1' }],
    ['PORT', { PORT: '80.5' }],
    ['PORT', { PORT: '0x50' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['OPEN_ACTS', { OPEN_ACTS: 'seal,snapshot' }],
    ['SEALS', { SEALS: '-1' }],
    ['SEAL_SECONDS', { SEAL_SECONDS: '0' }],
    ['OPENINGS_DAYS', { OPENINGS_DAYS: '0' }],
    ['SEAL_IN_PARTS', { SEAL_IN_PARTS: 'never' }],
    ['PUBLIC_URL', { HOST: '0.0.0.0', API_KEYS: 'a-key-of-some-length', OPEN_ACTS: 'seal' }],
    ['KEEP_OPENED', { KEEP_OPENED: '-1' }],
    ['BODY_LIMIT', { BODY_LIMIT: '0' }],
    ['BODY_LIMIT', { BODY_LIMIT: '64MiB' }],
    ['BODY_LIMIT', { BODY_LIMIT: '1073741825' }],
    ['API_KEYS', { API_KEYS: ',' }],
    ['REQUESTS_PER_MINUTE', { REQUESTS_PER_MINUTE: '-1' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'true' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/33' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'proxy.example' }],
    ['TRUST_PROXY', { TRUST_PROXY: ',' }],
    ['API_KEYS', { API_KEYS: 'short-secret' }],
    ['API_KEYS', { API_KEYS: 'with spaces in the secret' }],
    ['CHAIN_ID', { CHAIN_ID: '1' }],
    ['CHAIN_ID', { ...remote, CHAIN_ID: 'main' }],
    ['RPC_URL', { ...remote, RPC_URL: 'node.example' }],
    ['RPC_URL', { ...remote, RPC_URL: 'https://a.example/secret, b.example/secret' }],
    ['RPC_URL', { ...remote, RPC_URL: 'https://a.example/secret https://a.example/secret' }],
    [
      'RPC_URL',
      { ...remote, RPC_URL: Array.from({ length: 9 }, (_, at) => `http://${at}`).join() },
    ],
    ['RPC_QUORUM', { ...remote, RPC_QUORUM: '2' }],
    ['RPC_QUORUM', { ...remote, RPC_QUORUM: '0' }],
    ['RPC_WAIT', { ...remote, RPC_WAIT: '-1' }],
    ['RPC_URL', { ...remote, RPC_URL: 'ws://user:secret@node.example' }],
    ['AGENT_PRIVATE_KEY', { AGENT_PRIVATE_KEY: 'secret' }],
    ['AGENT_PRIVATE_KEY', { AGENT_PRIVATE_KEY: `0x${'00'.repeat(32)}` }],
    ['AGENT_PRIVATE_KEY', { AGENT_PRIVATE_KEY: `0x${'ff'.repeat(32)}` }],
    ['AGENT_PRIVATE_KEY', { ...remote, AGENT_PRIVATE_KEY: undefined }],
    ['MASTER_KEYS', { MASTER_KEYS: `${key},secret` }],
    ['MASTER_KEYS', { ...remote, MASTER_KEYS: '' }],
    ['MASTER_KEY_FILE', { ...remote, MASTER_KEY_FILE: 'master.keys' }],
    ['REGISTRY_ADDRESS', { ...remote, MARKETPLACE_ADDRESS: address }],
    ['MARKETPLACE_ADDRESS', { ...remote, REGISTRY_ADDRESS: address }],
    [
      'REGISTRY_ADDRESS',
      { REGISTRY_ADDRESS: address.replace('C', 'c'), MARKETPLACE_ADDRESS: address },
    ],
    ['OPEN_WRITES', { OPEN_WRITES: 'yes' }],
    ['WEBHOOKS_TO_PRIVATE', { WEBHOOKS_TO_PRIVATE: '1' }],
    ['DATABASE_URL', { DATABASE_URL: 'db.example' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://user:secret@db.example' }],
    ['BLOB_STORE', { BLOB_STORE: 'https://user:secret@store.example' }],
    ['BLOB_STORE', { BLOB_STORE: 'Secret Store' }],
    ['BLOB_URL', { BLOB_URL: 's3://user:secret@bucket' }],
    ['BLOB_URL', { BLOB_STORE: 'helia', BLOB_URL: 's3://user:secret@bucket' }],
    ['BLOB_URL', { BLOB_STORE: './store.js', BLOB_URL: 'secret' }],
    ['OPEN_ACTS', { OPEN_ACTS: 'relay,buy' }],
    ['RELAY_GAS', { RELAY_GAS: '49999' }],
    ['RELAY_SPEND_PER_DAY', { RELAY_SPEND_PER_DAY: '1.5' }],
    ['RELAY_LEAST_ORDER', { RELAY_LEAST_ORDER: '-1' }],
    ['PUBLIC_RPC_URL', { PUBLIC_RPC_URL: 'https://user:secret@rpc.example' }],
    ['PUBLIC_RPC_URL', { PUBLIC_RPC_URL: 'wss://rpc.example' }],
    ['EXPLORER_URL', { EXPLORER_URL: 'javascript:secret' }],
    ['CHAIN_NAME', { CHAIN_NAME: '<b>secret</b>' }],
    ['NATIVE_SYMBOL', { NATIVE_SYMBOL: 'secret ether' }],
    ['NATIVE_PRICE', { NATIVE_PRICE: 'secret' }],
    ['NATIVE_PRICE', { NATIVE_PRICE: '0.00 EUR' }],
    ['NATIVE_PRICE', { NATIVE_PRICE: '3000' }],
    ['ENS_REGISTRY', { ENS_REGISTRY: 'ens.secret.eth' }],
    ['FAUCET_OPEN', { FAUCET_OPEN: 'yes' }],
    ['FAUCET_PER_DAY', { FAUCET_PER_DAY: '-1' }],
    ['IPFS_LISTEN', { BLOB_STORE: './store.js', IPFS_LISTEN: '/ip4/0.0.0.0/tcp/4001' }],
    ['IPFS_PEERS', { BLOB_STORE: './store.js', IPFS_PEERS: '/dns4/a/tcp/1/p2p/x' }],
    ['IPFS_PEERS', { BLOB_COPIES: '2', IPFS_PEERS: '/dns4/secret/tcp/1' }],
    ['BLOB_COPIES', { BLOB_COPIES: '2' }],
    ['BLOB_COPIES', { BLOB_COPIES: '3', IPFS_PEERS: '/dns4/a/tcp/1/p2p/x' }],
    ['BLOB_COPIES', { BLOB_COPIES: '3', IPFS_PEERS: '/dns4/a/tcp/1/p2p/x,/dns4/b/tcp/1/p2p/x' }],
    ['BLOB_COPIES', { BLOB_COPIES: '0' }],
    ['BLOB_BYTES_PER_PEER', { BLOB_BYTES_PER_PEER: '0' }],
    ['BLOB_BYTES_PER_PEER', { BLOB_BYTES_PER_PEER: '9', BLOB_STORE: './store.js' }],
    ['BLOB_COPIES', { BLOB_COPIES: '2', BLOB_STORE: './store.js' }],
    ['IPFS_PEER_KEY', { IPFS_PEER_KEY: 'secret', IPFS_LISTEN: '/ip4/127.0.0.1/tcp/1' }],
    ['CATALOGUE_FROM', { CATALOGUE_FROM: '-1' }],
    ['CONFIRMATIONS', { CONFIRMATIONS: '0' }],
    ['CONFIRMATIONS', { CONFIRMATIONS: '1001' }],
    ['MAX_SPEND_PER_CALL', { MAX_SPEND_PER_CALL: '1.5' }],
    ['MAX_SPEND_PER_DAY', { MAX_SPEND_PER_DAY: '-1' }],
    ['MAX_SPEND_PER_DAY', { MAX_SPEND_PER_DAY: `${2n ** 256n}` }],
  ])('is refused by the name of %s and without its value: %j', (name, env) => {
    const problem = problemOf(env)
    expect(problem.name).toBe(name)
    expect(problem.message).not.toMatch(/secret/)
  })

  test.each([
    ['./store.ts', resolve('store.ts')],
    ['../store.ts', resolve('../store.ts')],
    ['/srv/store.js', '/srv/store.js'],
    ['heirloom-store', 'heirloom-store'],
    ['@example/store', '@example/store'],
    ['@example/store/s3.js', '@example/store/s3.js'],
  ])('takes %s as the module of the blobs', (BLOB_STORE, module) => {
    expect(readConfig({ BLOB_STORE }).blobStore).toEqual({ kind: 'module', module, url: undefined })
    const BLOB_URL = 's3://bucket/memories'
    expect(readConfig({ BLOB_STORE, BLOB_URL }).blobStore).toEqual({
      kind: 'module',
      module,
      url: BLOB_URL,
    })
  })

  test('stores IPFS blocks for BLOB_STORE=helia', () => {
    const env = { BLOB_STORE: 'helia', IPFS_PEERS: '/dns4/b/tcp/1/p2p/y' }
    const { blobStore, network } = readConfig(env)
    expect([blobStore, network?.peers]).toEqual([undefined, ['/dns4/b/tcp/1/p2p/y']])
  })

  test.each(['MAX_SPEND_PER_CALL', 'MAX_SPEND_PER_DAY'])('takes any amount as %s', (name) => {
    const limit = name === 'MAX_SPEND_PER_CALL' ? 'perCall' : 'perDay'
    fc.assert(
      fc.property(arbitraryWei, (amount) => {
        expect(readConfig({ [name]: `${amount}` }).limits[limit]).toBe(amount)
        for (const text of [`0${amount}`, `+${amount}`, `-${amount}`, `${amount}.0`, `0x${amount}`])
          expect(problemOf({ [name]: text }).name).toBe(name)
      }),
    )
  })

  test('takes any number of confirmations from 1 to 1000, and no other', () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(2000), fc.nat()), (blocks) => {
        const env = { CONFIRMATIONS: `${blocks}` }
        if (blocks >= 1 && blocks <= 1000) expect(readConfig(env).confirmations).toBe(blocks)
        else expect(problemOf(env).name).toBe('CONFIRMATIONS')
      }),
    )
  })

  test('takes the address of any PostgreSQL database, and of nothing else', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.constantFrom('postgres', 'postgresql'), (url, protocol) => {
        const DATABASE_URL = url.replace(/^https?/, protocol)
        expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
        expect(problemOf({ DATABASE_URL: url }).name).toBe('DATABASE_URL')
      }),
    )
  })

  test.each([
    ['127.0.0.1', true],
    ['127.1.2.3', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.1.7', false],
    ['box.example', false],
    ['127.evil.example', false],
  ])('with HOST %s may have open writes unsaid: %s', (HOST, free) => {
    if (free) expect(readConfig({ HOST }).host).toBe(HOST)
    else expect(problemOf({ HOST }).name).toBe('API_KEYS')
    expect(readConfig({ HOST, OPEN_WRITES: 'true' }).host).toBe(HOST)
    expect(readConfig({ HOST, API_KEYS: 'a-key-of-some-length' }).host).toBe(HOST)
    if (!free) expect(problemOf({ HOST, OPEN_WRITES: 'false' }).name).toBe('API_KEYS')
  })

  test('bounds each client on a host that others reach, but not the connections of a proxy', () => {
    const HOST = '0.0.0.0'
    const OPEN_WRITES = 'true'
    expect(readConfig({ HOST, OPEN_WRITES }).bounds).toMatchObject({
      requestsPerMinute: 6000,
      mcpPerClient: 8,
      connectionsPerClient: 256,
      trustProxy: undefined,
    })
    expect(readConfig({ HOST, OPEN_WRITES, TRUST_PROXY: '2' }).bounds).toMatchObject({
      requestsPerMinute: 6000,
      connectionsPerClient: 0,
      trustProxy: 2,
    })
    expect(readConfig({ HOST, API_KEYS_FILE: 'keys.json' }).apiKeysFile).toBe('keys.json')
  })
})

describe('a bound proof', () => {
  const keys = { API_KEYS: 'a-key-of-some-length' }

  test('names the origin that PUBLIC_URL says', () => {
    const { publicUrl } = readConfig({ ...keys, PUBLIC_URL: 'https://Memories.example/' })
    expect(publicUrl).toBe('https://memories.example')
    for (const bad of [
      'memories.example',
      'ftp://a.example',
      'https://a.example/x',
      'https://u:p@a.example',
      'https://a.example/?x',
    ]) {
      expect(() => readConfig({ ...keys, PUBLIC_URL: bad })).toThrow('PUBLIC_URL')
    }
  })

  test('can be required where the server knows its own name', () => {
    const required = { REQUIRE_BOUND_PROOF: 'true' }
    expect(readConfig(required).requireBoundProof).toBe(true)
    const open = { ...required, ...keys, HOST: '0.0.0.0' }
    expect(() => readConfig(open)).toThrow('PUBLIC_URL')
    expect(readConfig({ ...open, PUBLIC_URL: 'https://a.example' }).requireBoundProof).toBe(true)
  })
})
