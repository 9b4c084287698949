export { depositAddress } from './deposit-address.ts'
export { type EncodedOrder, encodeOrder, type OrderDomain, orderHash } from './encode-order.ts'
export {
  encodePayOrder,
  encodeSettle,
  type OrderPayment,
  type OrderSettlement,
} from './encode-payment.ts'
export { type DollarDomain, paymentAuthorization } from './payment-authorization.ts'
