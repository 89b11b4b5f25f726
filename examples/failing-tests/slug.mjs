/** The part of an address that stands for a title. */
export function slugOf(title) {
  return title.toLowerCase().replace(" ", "-");
}

/** A slug that none of `taken` is. */
export function freeSlug(title, taken) {
  const slug = slugOf(title);
  return taken.includes(slug) ? `${slug}-2` : slug;
}
