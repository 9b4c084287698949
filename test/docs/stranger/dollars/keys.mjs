import { writeFileSync } from 'node:fs'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

for (const name of ['ada', 'ben', 'cleo']) {
  const key = generatePrivateKey()
  writeFileSync(`${name}.key`, key, { mode: 0o600 })
  writeFileSync(`${name}.address`, privateKeyToAccount(key).address)
}
