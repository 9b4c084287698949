import { writeSync } from 'node:fs'
import { embeddedChain } from '../embedded-chain.ts'
import { receiptOf, send } from './requests.ts'
import { signTransaction } from './transactions.ts'

// Sends transfers until it is killed, four at a time, and prints each acknowledged one.
const [folder = ''] = process.argv.slice(2)
const chain = await embeddedChain({ folder, now: Date.now, funded: [] })
let nonce = Number(await chain.request({ method: 'eth_blockNumber' }))

for (;;) {
  const raws = await Promise.all(
    [0, 1, 2, 3].map((ahead) => signTransaction({ nonce: nonce + ahead })),
  )
  nonce += raws.length
  const sent = raws.map(async (raw) => {
    const hash = await send(chain, raw)
    const { blockHash } = await receiptOf(chain, hash)
    writeSync(1, `${hash} ${blockHash}\n`)
  })
  await Promise.all(sent)
}
