import type { TestService } from '../../support/service.ts';

/** Creates a person once for all scenes of a service that only read their data: a bank takes seconds to link. */
export function oncePerService<T>(make: (service: TestService) => Promise<T>): typeof make {
  const made = new WeakMap<TestService, Promise<T>>();
  return (service) => {
    const one = made.get(service) ?? make(service);
    made.set(service, one);
    return one;
  };
}
