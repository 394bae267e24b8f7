import { test } from 'tenantry/vitest'
import { expect } from 'vitest'
import { connect, ownDays } from '../src/booking.ts'

test('users sign in with the code that they receive', async ({ tenant, mailbox }) => {
  const app = connect({ url: tenant.url, key: tenant.anonKey, project: tenant.slug })
  await app.auth.signInWithOtp({ email: 'ana@x.test' })
  const { code } = await mailbox.waitFor({ to: 'ana@x.test', with: 'code' })
  const { error } = await app.auth.verifyOtp({ email: 'ana@x.test', code: code ?? '' })
  expect(error).toBeNull()
  expect(await ownDays(app)).toEqual([])
})
