import { publicLimits } from '@heirloom/adapters/internal/public-rpc-limits'

/** The value of a variable that is unset or empty. */
type Value = string | number | bigint | boolean

/** A setting as people read it; texts are Markdown, and their links are relative to `docs/`. */
export type Setting = {
  /** One sentence about it. */
  readonly about: string
  /** Its default. */
  readonly fallback?: Value
  /** Its default on a server that only this machine reaches. */
  readonly ifLocal?: Value
  /** The words for a default that is found or made. */
  readonly otherwise?: string
}

/** A setting that has a default. */
const withDefault = <T extends Value>(fallback: T, about: string) => ({ about, fallback })

/** A setting that has another default on a server that only this machine reaches. */
const withDefaults = <T extends Value, L extends Value>(
  fallback: T,
  ifLocal: L,
  about: string,
) => ({
  about,
  fallback,
  ifLocal,
})

/** A setting whose default is found or made, in words. */
const found = (otherwise: string, about: string) => ({ about, otherwise })

/** A setting without a default. */
const unset = (about: string) => ({ about })

const local = '[local](access.md#a-local-server)'
const copies = '[copies](storage.md#copies-on-other-machines)'

/**
 * Every environment variable that a server reads, by subject. A reader can name no other one, and
 * `docs/settings.md` is made from this table.
 */
export const settings = {
  'The server': {
    HOST: withDefault('127.0.0.1', 'The address on which the server listens.'),
    PORT: withDefault(3000, 'The port; 0 picks a free one.'),
    DATA_DIR: withDefault(
      '.heirloom',
      'The folder of the chain’s journal, blocks, jobs, catalogue and generated keys. One server uses it at a time.',
    ),
    STOP_DELAY: withDefault(
      0,
      'The seconds for which a server that is told to stop goes on, while `/readyz` says `service/stopping`, so that balancers send it no more requests.',
    ),
    BODY_LIMIT: withDefault(
      2 ** 28,
      'The largest body of a memory, in bytes. Other requests have 64 KiB at most.',
    ),
    KEEP_OPENED: withDefault(
      2 ** 26,
      'The size of the cache of decrypted memories, in bytes; 0 turns it off.',
    ),
    PUBLIC_URL: unset(
      'The origin that clients use, such as `https://memories.example`. A bound proof names it, and shared links lead there.',
    ),
    SECURITY_CONTACT: unset(
      'The address for reports of weaknesses, such as `mailto:security@memories.example`, which `/.well-known/security.txt` names. Without it there is no such file.',
    ),
    TRUST_PROXY: unset(
      `The proxies whose \`X-Forwarded-For\` is trusted: how many, or a comma list of addresses and networks. With it no server is ${local}.`,
    ),
  },
  'Logs and traces': {
    LOG_LEVEL: withDefault('info', '`trace` to `fatal`, or `silent`. Logs go to standard error.'),
    OTEL_EXPORTER_OTLP_ENDPOINT: unset(
      'The OpenTelemetry collector that gets [traces](logs-and-traces.md).',
    ),
    OTEL_EXPORTER_OTLP_HEADERS: unset('A comma list of `name=value` for the collector.'),
    OTEL_EXPORTER_OTLP_PROTOCOL: withDefault('http/json', 'The only protocol that is spoken.'),
    OTEL_SERVICE_NAME: withDefault('heirloom', 'The name of this service in traces.'),
    OTEL_TRACES_SAMPLER_ARG: withDefault(1, 'The share of the requests that are recorded, 0 to 1.'),
  },
  'Who may do what': {
    API_KEYS: unset(
      'A comma list of keys that may do everything. With any key, what spends or shows money needs `Authorization: Bearer …`.',
    ),
    API_KEYS_FILE: unset(
      'A file of keys with a name, a scope and a budget each: [access](access.md).',
    ),
    OPEN_WRITES: withDefault(
      false,
      `\`true\` allows what needs a key without one, also webhooks, metrics and the view of operators, on a server that is not ${local}.`,
    ),
    OPEN_ACTS: unset(
      'A comma list of acts that need no key, for a wallet proves itself: `seal` ([seals](seal.md)), `relay` ([relayed acts](relay.md)).',
    ),
    REQUIRE_BOUND_PROOF: withDefault(
      false,
      '`true` accepts only proofs that name this server: [client](client.md).',
    ),
    WEBHOOKS_TO_PRIVATE: withDefault(
      false,
      '`true` allows webhook URLs on this machine and in private networks.',
    ),
  },
  'Keys and the agent wallet': {
    AGENT_PRIVATE_KEY: found(
      'made in `DATA_DIR`',
      'The key of the agent wallet, which signs and pays: 32 bytes of hex.',
    ),
    AGENT_KEY_SERVICE: unset(
      'The token or the module that signs instead: [key services](guides/key-service.md).',
    ),
    AGENT_ADDRESS: unset('The address of the key in that token or module.'),
    AGENT_KEY_PIN: unset('The PIN of that token, unless the URI names its file.'),
    MASTER_KEYS: found(
      'made in `DATA_DIR`',
      'A comma list of 32-byte hex keys that wrap the sealing keys. The first wraps, all unwrap.',
    ),
    MASTER_KEY_FILE: found(
      '`DATA_DIR/master.keys`',
      'A file with that list instead, which not every user of the machine may read. Keep it outside `DATA_DIR`, so that no copy of the folder contains it.',
    ),
    MAX_SPEND_PER_CALL: unset(
      'The most wei that one write may cost, gas included. Above it the write is refused.',
    ),
    MAX_SPEND_PER_DAY: unset('The most wei that all writes of a day (UTC) may cost.'),
  },
  'The chain': {
    RPC_URL: found(
      'the embedded chain',
      'A comma list of the [nodes](nodes.md) of any EVM chain, most preferred first.',
    ),
    RPC_QUORUM: withDefault(1, 'How many nodes must agree on who may read, and on receipts.'),
    RPC_WAIT: found('for ever', 'The seconds that a start waits for a node; 0 ends it at once.'),
    CHAIN_ID: found('what the node says', 'The server refuses a node of another chain.'),
    CONFIRMATIONS: withDefault(
      1,
      'The blocks that a write needs, its own included, before the response and the catalogue show it.',
    ),
    REGISTRY_ADDRESS: unset('The registry of the contract pair on that chain.'),
    MARKETPLACE_ADDRESS: unset('The marketplace of the pair.'),
    CATALOGUE_FROM: found(
      'found',
      'The first block that the [catalogue](catalogue.md) reads. It is needed only where no node keeps old state.',
    ),
    PUBLIC_RPC_URL: found(
      '`/rpc` of the embedded chain',
      'The node that wallets and browsers may use. `RPC_URL` is told to nobody.',
    ),
    CHAIN_NAME: found('that of a known chain', 'The name of the chain that wallets show.'),
    NATIVE_SYMBOL: found('that of a known chain', 'The symbol of its currency.'),
    NATIVE_PRICE: unset(
      'The price of a unit of that currency, such as `3000 EUR`: the page says beside a price what it is about. It is as old as you let it be.',
    ),
    EXPLORER_URL: unset('A block explorer of the chain.'),
    ENS_REGISTRY: found(
      'that of Ethereum, Sepolia and Holesky',
      'The registry of [ENS](nodes.md#names-of-ens), whose names of accounts the page shows; `none` for no names.',
    ),
  },
  'What is stored, and where': {
    OPENINGS_DAYS: withDefault(
      400,
      'The days for which the server remembers [who opened a memory](access.md#who-opened-a-memory).',
    ),
    DATABASE_URL: found(
      'a file in `DATA_DIR`',
      'A PostgreSQL database for jobs, webhooks, catalogue and sealing keys. Several servers can share it, also through a pooler with `pool_mode = session`.',
    ),
    BLOB_STORE: found(
      '`helia`: IPFS blocks in `DATA_DIR`',
      'A module, by its path or its package, that stores the blobs elsewhere: [adapters](guides/adapter.md).',
    ),
    BLOB_URL: unset(
      '`s3://bucket/prefix` stores the blobs in a [bucket](storage.md) of any S3-compatible store, which several servers can share. With `BLOB_STORE` it is the address that the module gets.',
    ),
    IPFS_LISTEN: unset(
      'A comma list of multiaddresses on which the server exchanges blocks with other [IPFS nodes](storage.md#ipfs-peers).',
    ),
    IPFS_PEERS: unset('A comma list of the multiaddresses of those nodes.'),
    IPFS_PEER_KEY: found(
      'made in `DATA_DIR`',
      'The key that proves this server to them: 32 bytes of hex.',
    ),
    BLOB_COPIES: withDefault(
      1,
      `How many machines have a memory on disk before a snapshot is answered: ${copies}.`,
    ),
    BLOB_BYTES_PER_PEER: found(
      'an equal part of nine tenths of the disk',
      `The bytes of blocks that each of the other machines may store here: ${copies}.`,
    ),
  },
  'Bounds of clients': {
    REQUESTS_PER_MINUTE: withDefaults(6000, 0, 'The requests of one client in a minute.'),
    CONNECTIONS: withDefault(10_000, 'The open connections in all.'),
    CONNECTIONS_PER_CLIENT: withDefaults(
      256,
      0,
      'The open connections from one address. Behind a proxy there is no bound by default.',
    ),
    STREAMS_PER_CLIENT: withDefault(100, 'The event streams of one client.'),
    MCP_PER_CLIENT: withDefaults(8, 0, 'The concurrent requests of one client to `POST /mcp`.'),
    DOWNLOAD_BYTES: withDefault(
      2 ** 28,
      'The bytes in flight of memories over 16 KiB. One client has half of them.',
    ),
    UPLOAD_BYTES: withDefault(
      2 ** 29,
      'The bytes in flight of large bodies. One client has half of them.',
    ),
    SLOW_READER_SECONDS: withDefault(
      30,
      'How long a reader may take no byte while some are waiting.',
    ),
  },
  'Memories sealed for wallets': {
    SEALS_PER_ACCOUNT: withDefault(
      1000,
      'The [sealed](seal.md) memories of one account that are not minted.',
    ),
    SEALS_PER_CLIENT: withDefaults(2000, 0, 'Those that one client asked for.'),
    SEALS: withDefault(20_000, 'Those of all.'),
    SEAL_BYTES_PER_ACCOUNT: withDefault(2 ** 28, 'The bytes of those of one account.'),
    SEAL_BYTES_PER_CLIENT: withDefaults(2 ** 29, 0, 'The bytes of those of one client.'),
    SEAL_BYTES: withDefault(2 ** 31, 'The bytes of those of all.'),
    SEAL_STORED_BYTES: withDefault(2 ** 36, 'The bytes stored for wallets, minted or not.'),
    SEAL_SECONDS: withDefault(43_200, 'The time that a wallet has for its mint.'),
    SEAL_IN_PARTS: found(
      '`true`, but after an upgrade from 0.2.0 only a week later',
      'Whether memories of more than 128 KiB are sealed in parts; `false` while servers of 0.2.0 run [beside](versions.md#beside-version-020).',
    ),
  },
  'Relayed acts': {
    RELAY_GAS: withDefault(500_000, 'The most gas that a [relayed](relay.md) call may ask for.'),
    RELAY_SPEND_PER_ACT: withDefault(10n ** 16n, 'The most wei that one act may cost.'),
    RELAY_SPEND_PER_ACCOUNT: withDefault(
      5n * 10n ** 16n,
      'The most that the acts which one account signs may cost in a day (UTC).',
    ),
    RELAY_SPEND_PER_CLIENT: withDefaults(
      10n ** 17n,
      'none',
      'The most that the acts which one client asks for may cost in a day.',
    ),
    RELAY_SPEND_PER_DAY: withDefault(10n ** 18n, 'The most that all acts may cost in a day.'),
    RELAY_LEAST_ORDER: withDefault(
      10_000,
      'The least price of a relayed order, in the dollar’s smallest unit.',
    ),
  },
  'The embedded chain for wallets': {
    RPC_OPEN: withDefaults(false, true, '`true` offers the embedded chain at `/rpc`.'),
    RPC_GAS: withDefault(
      Number(publicLimits.gas),
      'The most gas of one call or transaction through `/rpc` that may run foreign code.',
    ),
    RPC_GAS_PER_DAY: withDefault(
      Number(publicLimits.gasPerDay),
      'The gas of all transactions through `/rpc` in a day. One client has a quarter of it.',
    ),
    RPC_EXTENSIONS: found(
      'all',
      'A comma list of the origins of the browser extensions that may use `/rpc`.',
    ),
    FAUCET_OPEN: withDefaults(false, true, '`true` hands out test dollars at `POST /api/faucet`.'),
    FAUCET_PER_DAY: withDefault(
      100,
      'How often a client, and an account, may use the faucet in a day; all together twenty times as often.',
    ),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Setting>>>>

type Subjects = typeof settings
type Merge<T> = (T extends unknown ? (value: T) => void : never) extends (value: infer M) => void
  ? M
  : never
type Named = Merge<Subjects[keyof Subjects]>

/** The name of a setting. */
export type SettingName = keyof Named & string

const named = Object.assign({}, ...Object.values(settings)) as Named

/** Returns a setting. */
export const settingOf = <N extends SettingName>(name: N): Named[N] => named[name]

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(named)
