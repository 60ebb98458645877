import type { TestService } from '../../support/service.ts';

/** Makes someone once for all scenes of a service that only look at what is theirs: a bank takes seconds to arrive. */
export function oncePerService<T>(make: (service: TestService) => Promise<T>): typeof make {
  const made = new WeakMap<TestService, Promise<T>>();
  return (service) => {
    const one = made.get(service) ?? make(service);
    made.set(service, one);
    return one;
  };
}
