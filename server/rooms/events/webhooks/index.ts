export { type SignedRequest, signDelivery } from './sign.ts'
