import { writeFileSync } from 'node:fs'
import { createClient } from '@heirloom/http/client'
import { privateKeyToAccount } from 'viem/accounts'

const [id] = process.argv.slice(2)
const account = privateKeyToAccount(process.env.HEIRLOOM_PRIVATE_KEY)
const client = createClient({ url: process.env.HEIRLOOM_URL, account })

const { price } = await client.listing(id)
await client.buy(id, { maxPrice: price })
const memory = await client.download(id)
const { contentHash } = await client.info(id)
if (memory.contentHash !== contentHash) throw new Error('The memory is not what is recorded.')
writeFileSync('bought.json', memory.document)
