"""Grades by people: sheets to fill in, and the agreement of people with each other and judges."""
