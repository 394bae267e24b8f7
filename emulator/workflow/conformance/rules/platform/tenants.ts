// Checks of docs/wire/platform.md: provisioning, lists and quotas.
import { createTenant } from '../../lab/lab.ts'
import { check, type RulesOfPage } from '../../model/check.ts'
import {
  between,
  containing,
  INSTANT,
  JWT,
  lacking,
  listOf,
  NUMBER,
  nullOr,
  OBJECT,
  TEXT,
} from '../../model/patterns.ts'
import { numberAt, refused, send, textAt } from '../../model/steps.ts'
import { dataError, manage, rest } from '../requests.ts'
import { provision, tenants } from './requests.ts'

const LISTED = { id: TEXT, slug: TEXT, external_id: nullOr(TEXT), created_at: INSTANT }

export const TENANT_RULES: RulesOfPage = {
  tenant: {
    checks: [
      check('a tenant has every member, and keys at creation only', ['lab'], ({ lab }) => [
        send(manage('GET', tenants(lab, `/${lab.home.slug}`), lab.group.key), 200, {
          id: lab.home.id,
          slug: lab.home.slug,
          schema_name: lab.home.schemaName,
          external_id: 'conformance',
          group_id: lab.group.id,
          metadata: OBJECT,
          created_at: INSTANT,
          anon_key: undefined,
          service_role_key: undefined,
        }),
      ]),
    ],
  },
  provision: {
    checks: [
      check('an answer has tenant and keys, which work at once', ['lab'], function* ({ lab }) {
        const slug = `${lab.prefix}_ready`
        const tenant = yield* createTenant(lab.group, slug)
        yield send(rest(tenant, 'GET', '/auth_users', tenant.anonKey), 401, dataError('42501'))
        yield send(
          rest(tenant, 'GET', '/auth_users', tenant.serviceRoleKey),
          403,
          dataError('42501'),
        )
      }),
      check('metadata is stored as it was sent', ['lab'], function* ({ lab }) {
        const metadata = { city: 'Lisbon', beds: 12, tags: ['a', null] }
        const order = { slug: `${lab.prefix}_meta`, external_id: 'C-17', metadata }
        yield send(manage('POST', tenants(lab), lab.group.key, order), 201, {
          tenant: { external_id: 'C-17', metadata, group_id: lab.group.id },
          anon_key: JWT,
          service_role_key: JWT,
        })
      }),
      check('the same slug again is 409 slug_taken', ['lab'], ({ lab }) => [
        refused(
          manage('POST', tenants(lab), lab.group.key, {
            slug: lab.home.slug,
            external_id: 'conformance',
          }),
          409,
          'slug_taken',
        ),
      ]),
      check('another group is 403 forbidden', ['group'], ({ group }) => [
        refused(
          manage('POST', '/groups/v1/grp_aaaaaaaaaaaaaaaaaaaa/tenants', group.key, {
            slug: 'conformance_never',
          }),
          403,
          'forbidden',
        ),
      ]),
      check('a request without a key is 401', ['group'], ({ group }) => [
        refused(
          manage('POST', `/groups/v1/${group.id}/tenants`, undefined, {
            slug: 'conformance_never',
          }),
          401,
          'unauthorized',
        ),
      ]),
    ],
    unchecked: 'A failed provisioning cannot be caused from outside.',
  },
  'list-tenants': {
    checks: [
      check('a page has tenants, total, limit and offset', ['group'], ({ group }) => [
        send(manage('GET', `/groups/v1/${group.id}/tenants`, group.key), 200, {
          tenants: listOf(LISTED),
          total: NUMBER,
          limit: NUMBER,
          offset: NUMBER,
        }),
      ]),
      check('a limit outside 1 to 200 is 400', ['group', 'emulator'], ({ group }) =>
        ['0', '201', 'x', '', '-1', '1.5', '1e2', '9'.repeat(20)].map((limit) =>
          send(manage('GET', `/groups/v1/${group.id}/tenants?limit=${limit}`, group.key), 400, {
            error: { code: 'invalid_request' },
            details: { limit: 'must be an integer from 1 to 200' },
          }),
        ),
      ),
      check('an offset that is no integer from 0 is 400', ['group', 'emulator'], ({ group }) =>
        ['-1', 'x', '9'.repeat(23)].map((offset) =>
          send(manage('GET', `/groups/v1/${group.id}/tenants?offset=${offset}`, group.key), 400, {
            error: { code: 'invalid_request', message: TEXT },
            details: { offset: TEXT },
          }),
        ),
      ),
      check('the default is 50 from 0', ['group', 'emulator'], ({ group }) => [
        send(manage('GET', `/groups/v1/${group.id}/tenants`, group.key), 200, {
          limit: 50,
          offset: 0,
        }),
      ]),
      check('the newest tenant is first', ['lab'], function* ({ lab }) {
        const slug = yield* provision(lab, 'newest')
        yield send(manage('GET', tenants(lab, '?limit=1'), lab.group.key), 200, {
          tenants: [{ slug }],
          limit: 1,
        })
      }),
      check('a removed tenant is neither listed nor counted', ['lab'], function* ({ lab }) {
        const slug = yield* provision(lab, 'unlisted')
        const list = manage('GET', tenants(lab, '?limit=200'), lab.group.key)
        const before = yield send(list, 200, { tenants: containing({ slug }) })
        yield send(manage('DELETE', tenants(lab, `/${slug}`), lab.group.key), 200)
        yield send(list, 200, {
          tenants: lacking({ slug }),
          total: numberAt(before, 'total') - 1,
        })
      }),
      check('offset skips tenants', ['lab'], ({ lab }) => [
        send(manage('GET', tenants(lab, '?limit=200&offset=10000'), lab.group.key), 200, {
          tenants: [],
          total: between(2, 100),
          offset: 10_000,
        }),
      ]),
    ],
  },
  'get-tenant': {
    checks: [
      check('the reference is the id or the slug', ['lab'], ({ lab }) =>
        [lab.home.id, lab.home.slug].map((reference) =>
          send(manage('GET', tenants(lab, `/${reference}`), lab.group.key), 200, {
            id: lab.home.id,
            slug: lab.home.slug,
          }),
        ),
      ),
      check(
        'a tenant of another group is 404, and its group 403',
        ['lab', 'owner', 'emulator'],
        function* ({ lab, owner }) {
          const order = { name: `${lab.prefix} other`, template_project_id: owner.template.id }
          const other = yield send(manage('POST', '/platform/v1/groups', owner.session, order), 201)
          const id = textAt(other, 'id')
          const keys = `/platform/v1/groups/${id}/keys`
          const key = textAt(yield send(manage('POST', keys, owner.session, {}), 201), 'key')
          for (const reference of [lab.home.slug, lab.home.id])
            yield refused(
              manage('GET', `/groups/v1/${id}/tenants/${reference}`, key),
              404,
              'not_found',
            )
          yield refused(manage('GET', tenants(lab), key), 403, 'forbidden')
        },
      ),
      check('an unknown tenant is 404 not_found', ['group'], ({ group }) => [
        refused(
          manage('GET', `/groups/v1/${group.id}/tenants/no_tenant_of_this_name`, group.key),
          404,
          'not_found',
        ),
      ]),
      check('a reference that no tenant can have is 404', ['group', 'emulator'], ({ group }) =>
        ['ten_aaaaaaaaaaaaaaaaaaaa', '%00', '..%2f', "x'--"].map((reference) =>
          refused(
            manage('GET', `/groups/v1/${group.id}/tenants/${reference}`, group.key),
            404,
            'not_found',
          ),
        ),
      ),
    ],
  },
  quotas: {
    checks: [
      check(
        'the third tenant of a free group is 402',
        ['lab', 'owner', 'emulator'],
        function* ({ lab, owner }) {
          const slug = `${lab.prefix}_free`
          yield send(
            manage('POST', '/platform/v1/projects', owner.session, {
              name: slug,
              slug,
              plan: 'free',
            }),
            201,
            { plan: 'free' },
          )
          const group = yield send(
            manage('POST', '/platform/v1/groups', owner.session, {
              name: slug,
              template_project_id: `proj_${slug}`,
            }),
            201,
          )
          const groupId = textAt(group, 'id')
          const keys = `/platform/v1/groups/${groupId}/keys`
          const key = textAt(yield send(manage('POST', keys, owner.session, {}), 201), 'key')
          const path = `/groups/v1/${groupId}/tenants`
          yield send(manage('POST', path, key, { slug: `${slug}_1` }), 201)
          yield send(manage('POST', path, key, { slug: `${slug}_2` }), 201)
          yield refused(
            manage('POST', path, key, { slug: `${slug}_3` }),
            402,
            'tenant_quota_exceeded',
          )
          yield send(manage('DELETE', `${path}/${slug}_1`, key), 200)
          yield send(manage('POST', path, key, { slug: `${slug}_4` }), 201)
        },
      ),
    ],
    unchecked: 'tenant_limit_reached needs 100 tenants.',
  },
}
