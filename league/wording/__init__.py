"""Codes and values turned into text for people, in Japanese and English."""
