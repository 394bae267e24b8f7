// Checks of docs/wire/platform.md: removed and purged tenants.
import { createTenant } from '../../lab/lab.ts'
import { check, type RulesOfPage } from '../../model/check.ts'
import { between, exactly, TEXT } from '../../model/patterns.ts'
import { refused, send } from '../../model/steps.ts'
import { dataError, manage, rest } from '../requests.ts'
import { provision, tenants } from './requests.ts'

export const REMOVAL_RULES: RulesOfPage = {
  remove: {
    checks: [
      check('an unknown tenant is 404 not_found', ['group'], ({ group }) => [
        refused(
          manage('DELETE', `/groups/v1/${group.id}/tenants/no_tenant_of_this_name`, group.key),
          404,
          'not_found',
        ),
      ]),
      check('a removed tenant is offline, and keeps its slug', ['lab'], function* ({ lab }) {
        const slug = `${lab.prefix}_offline`
        const tenant = yield* createTenant(lab.group, slug)
        const path = tenants(lab, `/${slug}`)
        yield send(manage('DELETE', path, lab.group.key), 200, exactly({ ok: true }))
        yield refused(manage('DELETE', path, lab.group.key), 404, 'not_found')
        yield refused(manage('GET', path, lab.group.key), 404, 'not_found')
        yield send(rest(tenant, 'GET', '/open_notes', tenant.anonKey), 401, dataError(TEXT))
        yield refused(manage('POST', tenants(lab), lab.group.key, { slug }), 409, 'slug_taken')
      }),
    ],
  },
  purge: {
    checks: [
      check('without the confirmation it is 400 and erases nothing', ['lab'], ({ lab }) => [
        ...[undefined, {}, ...['another', null, 1].map((confirm_slug) => ({ confirm_slug }))].map(
          (body) =>
            refused(
              manage('DELETE', tenants(lab, `/${lab.home.slug}/purge`), lab.group.key, body),
              400,
              'confirmation_required',
            ),
        ),
        send(rest(lab.home, 'GET', '/open_notes?limit=0', lab.home.anonKey), 200, []),
      ]),
      check('a purged tenant is gone, and its slug stays taken', ['lab'], function* ({ lab }) {
        const slug = `${lab.prefix}_erased`
        const tenant = yield* createTenant(lab.group, slug)
        yield send(
          manage('DELETE', tenants(lab, `/${slug}/purge`), lab.group.key, { confirm_slug: slug }),
          between(200, 202),
          { ok: true },
        )
        yield send(rest(tenant, 'GET', '/open_notes', tenant.anonKey), 401, dataError(TEXT))
        yield refused(manage('POST', tenants(lab), lab.group.key, { slug }), 409, 'slug_taken')
      }),
      check('the answer counts buckets and objects', ['lab', 'emulator'], function* ({ lab }) {
        const slug = `${lab.prefix}_counted`
        const tenant = yield* createTenant(lab.group, slug)
        yield send(
          manage(
            'POST',
            `/platform/v1/projects/${tenant.projectId}/buckets`,
            tenant.managementKey,
            {
              name: 'files',
            },
          ),
          201,
        )
        yield send(
          {
            plane: 'storage',
            method: 'POST',
            path: `/object/${tenant.schemaName}_files/a.txt`,
            bearer: tenant.serviceStorage,
            headers: { 'content-type': 'text/plain' },
            body: 'a',
          },
          200,
        )
        yield send(
          manage('DELETE', tenants(lab, `/${slug}/purge`), lab.group.key, { confirm_slug: slug }),
          200,
          exactly({ ok: true, purged: exactly({ buckets_deleted: 1, objects_deleted: 1 }) }),
        )
      }),
      check('?confirm=<slug> confirms as well', ['lab'], function* ({ lab }) {
        const slug = yield* provision(lab, 'queried')
        const path = tenants(lab, `/${slug}/purge?confirm=${slug}`)
        yield send(manage('DELETE', path, lab.group.key), between(200, 202), { ok: true })
      }),
      check('a removed tenant can be purged', ['lab', 'emulator'], function* ({ lab }) {
        const slug = yield* provision(lab, 'both')
        yield send(manage('DELETE', tenants(lab, `/${slug}`), lab.group.key), 200)
        yield send(
          manage('DELETE', tenants(lab, `/${slug}/purge`), lab.group.key, { confirm_slug: slug }),
          200,
          { ok: true },
        )
      }),
    ],
  },
  lifecycle: {
    checks: [
      check(
        'removed and purged slugs are taken, and cannot be removed',
        ['lab'],
        function* ({ lab }) {
          const slug = yield* provision(lab, 'cycle')
          const path = tenants(lab, `/${slug}`)
          yield send(manage('DELETE', path, lab.group.key), 200)
          yield refused(manage('POST', tenants(lab), lab.group.key, { slug }), 409, 'slug_taken')
          const purge = manage('DELETE', `${path}/purge`, lab.group.key, { confirm_slug: slug })
          yield send(purge, between(200, 202))
          yield refused(manage('DELETE', path, lab.group.key), 404, 'not_found')
          yield refused(manage('POST', tenants(lab), lab.group.key, { slug }), 409, 'slug_taken')
        },
      ),
    ],
  },
}
