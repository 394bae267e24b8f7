// The fuzz target of auth sends requests to every route of auth.
import { expect, it } from 'vitest'
import { parseRouteKey } from '../../../emulator/core/routes.ts'
import { AUTH_ROUTES } from '../../../emulator/services/auth/routes.ts'
import { AUTH_REQUEST_LINES } from '../../fuzz/targets/auth.ts'

it('the fuzz target of auth has a request for each route', () => {
  const unasked = Object.keys(AUTH_ROUTES).filter((key) => {
    const { methods, path } = parseRouteKey(key)
    const [, tail = ''] = path.split('/auth/v1')
    const line = new RegExp(`^(${methods.join('|')}) ${tail.replaceAll(/:\w+/g, '[^/]+')}$`)
    return !AUTH_REQUEST_LINES.some((asked) => line.test(asked))
  })
  expect(unasked).toEqual([])
})
