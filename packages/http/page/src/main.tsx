import { effect } from '@preact/signals'
import { render } from 'preact'
import { followChanges } from './api/changes.ts'
import { App } from './app.tsx'
import { learnDeployment } from './deployment.ts'
import { followLinks } from './route.ts'
import { followTheme } from './theme.ts'
import { announced, discoverWallets } from './wallet/discover-wallets.ts'
import { hasRpc, learnRpc } from './wallet/rpc-provider.ts'

followTheme()
followLinks()
discoverWallets()
followChanges()

const place = document.getElementById('page')
if (place !== null) render(<App />, place)

await learnRpc((await learnDeployment()).chainId)
if (localStorage.getItem('heirloom.wallet') !== null) {
  const { reconnect } = await import('./wallet/connect-wallet.ts')
  // Wallets may tell of themselves late.
  effect(() => {
    reconnect(announced.value, hasRpc.value)
  })
}
