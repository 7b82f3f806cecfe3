<?php

class StringsTest
{
	/**
	 * Checks that accents and blanks leave a slug.
	 */
	public function slugIsPlain(): void
	{
		$slug = \Stonekit\Text\Strings::slug('Hello, World');
		assert($slug === 'hello-world');
	}

	/**
	 * Checks that a short text stays as it is.
	 */
	public function shortTextStays(): void
	{
		$text = \Stonekit\Text\Strings::shorten('brook', 9);
		assert($text === 'brook');
	}
}
