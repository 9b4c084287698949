/** Returns an amount in ether and in wei. */
export function amountText(wei: bigint): string {
  return `${etherText(wei)} ether (${wei} wei)`
}

function etherText(wei: bigint): string {
  const digits = `${wei}`.padStart(19, '0')
  const fraction = digits.slice(-18).replace(/0+$/, '')
  const whole = digits.slice(0, -18)
  return fraction === '' ? whole : `${whole}.${fraction}`
}
